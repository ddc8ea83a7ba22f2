#include "check.hpp"

void test_viterbi_equals_enumeration();
void test_max_marginals_equal_enumeration();
void test_bounded_search_equals_full_search();
void test_nbest_equals_enumeration();
void test_nbest_of_a_long_lattice();
void test_nbest_rejects_n_below_one();
void test_lattice_scores_as_weights_do();
void test_threads_do_not_change_lists();
void test_dictionary_is_ignored_where_it_leaves_nothing();
void test_move_is_two_additions();
void test_averaged_weights_leave_room_for_every_order();
void test_features_of_every_order_are_counted();
void test_orders_are_checked();
void test_guided();
void test_all_forms_of_a_kernel_score_alike();
void test_exact_context_equals_enumeration();
void test_exponential();
void test_marginals_equal_enumeration();
void test_marginals_agree_with_each_other();
void test_local_search_equals_enumeration();
void test_local_pairs_equal_enumeration();
void test_runs();
void test_tokens_cover_texts();
void test_encoded_text();

int main() {
    test_viterbi_equals_enumeration();
    test_max_marginals_equal_enumeration();
    test_bounded_search_equals_full_search();
    test_nbest_equals_enumeration();
    test_nbest_of_a_long_lattice();
    test_nbest_rejects_n_below_one();
    test_lattice_scores_as_weights_do();
    test_threads_do_not_change_lists();
    test_dictionary_is_ignored_where_it_leaves_nothing();
    test_move_is_two_additions();
    test_averaged_weights_leave_room_for_every_order();
    test_features_of_every_order_are_counted();
    test_orders_are_checked();
    test_guided();
    test_all_forms_of_a_kernel_score_alike();
    test_exact_context_equals_enumeration();
    test_exponential();
    test_marginals_equal_enumeration();
    test_marginals_agree_with_each_other();
    test_local_search_equals_enumeration();
    test_local_pairs_equal_enumeration();
    test_runs();
    test_tokens_cover_texts();
    test_encoded_text();
    std::printf("%d checks failed\n", failures);
    return failures ? 1 : 0;
}
