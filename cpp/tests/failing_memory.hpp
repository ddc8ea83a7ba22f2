// Memory that runs out: the n-th allocation from now on fails.
#pragma once

void fail_allocation(long n);
// Whether that allocation was reached; from now on none fails.
bool stop_failing();
