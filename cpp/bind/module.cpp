#include <nanobind/nanobind.h>

namespace perceptag {
void bind_blocks(nanobind::module_& m);
void bind_build(nanobind::module_& m);
void bind_features(nanobind::module_& m);
void bind_lattice(nanobind::module_& m);
void bind_weights(nanobind::module_& m);
void bind_moved_weights(nanobind::module_& m);
void bind_corpus(nanobind::module_& m);
void bind_chosen(nanobind::module_& m);
void bind_support(nanobind::module_& m);
void bind_stored_arrays(nanobind::module_& m);
void bind_predictor(nanobind::module_& m);
void bind_lists(nanobind::module_& m);
void bind_tokens(nanobind::module_& m);
void bind_dictionaries(nanobind::module_& m);
void bind_column_text(nanobind::module_& m);
void bind_conllu_text(nanobind::module_& m);
void bind_attributes(nanobind::module_& m);
void bind_guided(nanobind::module_& m);
void bind_nbest(nanobind::module_& m);
void bind_passes(nanobind::module_& m);
void bind_shard_changes(nanobind::module_& m);
void bind_presence(nanobind::module_& m);
void bind_rivals(nanobind::module_& m);
void bind_mixing(nanobind::module_& m);
void bind_max_marginals(nanobind::module_& m);
void bind_marginals(nanobind::module_& m);
void bind_local_search(nanobind::module_& m);
void bind_nonlocal(nanobind::module_& m);
void bind_ascent(nanobind::module_& m);
void bind_document_columns(nanobind::module_& m);
void bind_document_values(nanobind::module_& m);
void bind_document_decoder(nanobind::module_& m);
void bind_kernel(nanobind::module_& m);
void bind_chunker(nanobind::module_& m);
void bind_maxent(nanobind::module_& m);
void bind_crf(nanobind::module_& m);
void bind_online(nanobind::module_& m);
void bind_tokenizer(nanobind::module_& m);
void bind_classes(nanobind::module_& m);
}  // namespace perceptag

NB_MODULE(_core, m) {
    // At exit Python may still hold objects, e.g. in a traceback; a user need not hear about that leak.
    nanobind::set_leak_warnings(false);
    m.doc() = "The native kernels of perceptag.";
    perceptag::bind_blocks(m);
    perceptag::bind_build(m);
    perceptag::bind_features(m);
    perceptag::bind_lattice(m);
    perceptag::bind_weights(m);
    perceptag::bind_moved_weights(m);
    perceptag::bind_corpus(m);
    perceptag::bind_chosen(m);
    perceptag::bind_support(m);
    perceptag::bind_stored_arrays(m);
    perceptag::bind_predictor(m);
    perceptag::bind_tokens(m);
    perceptag::bind_dictionaries(m);
    perceptag::bind_column_text(m);
    perceptag::bind_conllu_text(m);
    perceptag::bind_attributes(m);
    perceptag::bind_lists(m);
    perceptag::bind_guided(m);
    perceptag::bind_nbest(m);
    perceptag::bind_passes(m);
    perceptag::bind_shard_changes(m);
    perceptag::bind_presence(m);
    perceptag::bind_rivals(m);
    perceptag::bind_mixing(m);
    perceptag::bind_max_marginals(m);
    perceptag::bind_marginals(m);
    perceptag::bind_local_search(m);
    perceptag::bind_nonlocal(m);
    perceptag::bind_ascent(m);
    perceptag::bind_document_columns(m);
    perceptag::bind_document_values(m);
    perceptag::bind_document_decoder(m);
    perceptag::bind_kernel(m);
    perceptag::bind_chunker(m);
    perceptag::bind_maxent(m);
    perceptag::bind_crf(m);
    perceptag::bind_online(m);
    perceptag::bind_tokenizer(m);
    perceptag::bind_classes(m);
}
