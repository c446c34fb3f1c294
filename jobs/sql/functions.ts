/** The functions that queries may call: those that only compute values and access no file, network, setting, or session. */

const OPERATORS = '+ - * / // % ** ^ || & | << >> ~ @ ! ~~ !~~ ~~~ ~~* !~~* ^@ <=> <-> ->> -> && <@ @> !__postfix';

const AGGREGATES = `any_value arbitrary arg_max arg_min arg_max_null arg_min_null arg_max_nulls_last arg_min_nulls_last argmax argmin
  max_by min_by array_agg list avg mean bit_and bit_or bit_xor bool_and bool_or bitstring_agg count count_if countif count_star sum
  sum_no_overflow fsum kahan_sum sumkahan favg product geomean geometric_mean wavg weighted_avg min max first last string_agg
  group_concat listagg approx_count_distinct approx_quantile approx_top_k reservoir_quantile mode median quantile quantile_cont
  quantile_disc mad stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp skewness kurtosis
  kurtosis_pop entropy regr_slope regr_intercept regr_r2 regr_count regr_avgx regr_avgy regr_sxx regr_syy regr_sxy sem histogram
  histogram_exact is_histogram_other_bin equi_width_bins grouping json_group_array json_group_object json_group_structure`;

const WINDOWS = `row_number rank dense_rank rank_dense percent_rank cume_dist ntile lag lead first_value last_value nth_value fill`;

const NUMBERS = `abs ceil ceiling floor round round_even roundbankers trunc sign sqrt cbrt exp ln log log2 log10 pow power mod fmod
  fdiv divide add subtract multiply greatest least sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh cot degrees
  radians pi even gcd lcm greatest_common_divisor least_common_multiple factorial gamma lgamma isnan isinf isfinite nextafter
  signbit xor width_bucket bit_count bit_length bit_position bitstring get_bit set_bit to_base bin to_binary hex to_hex random`;

const TEXTS = `lower upper lcase ucase length strlen char_length character_length octet_length trim ltrim rtrim lpad rpad repeat
  substring substr left right left_grapheme right_grapheme length_grapheme substring_grapheme concat concat_ws contains prefix suffix
  starts_with ends_with position strpos instr replace reverse split_part string_split str_split split string_to_array
  string_split_regex str_split_regex regexp_split_to_array regexp_split_to_table translate ascii unicode chr ord format printf
  regexp_matches regexp_full_match regexp_extract regexp_extract_all regexp_replace regexp_escape like_escape ilike_escape
  not_like_escape not_ilike_escape levenshtein damerau_levenshtein editdist3 hamming mismatches jaccard jaro_similarity
  jaro_winkler_similarity strip_accents nfc_normalize bar hash md5 md5_number md5_number_lower md5_number_upper sha1 sha256 encode
  decode base64 to_base64 from_base64 unhex from_hex unbin from_binary url_encode url_decode format_bytes
  formatReadableSize formatReadableDecimalSize parse_formatted_bytes pg_size_pretty parse_filename parse_dirname parse_dirpath
  parse_path uuid gen_random_uuid uuidv4 uuidv7 uuid_extract_timestamp uuid_extract_version`;

const TIMES = `year month day quarter week weekofyear weekday dayofweek dayofmonth dayofyear isodow isoyear decade century millennium era
  epoch epoch_ms epoch_us epoch_ns hour minute second millisecond microsecond nanosecond date_part datepart date_trunc datetrunc
  date_diff datediff date_sub datesub date_add last_day days_in_month dayname monthname make_date make_time make_timestamp
  make_timestamp_ms make_timestamp_ns make_timestamptz strftime strptime try_strptime to_timestamp to_microseconds to_milliseconds
  to_seconds to_minutes to_hours to_days to_weeks to_months to_quarters to_years to_decades to_centuries to_millennia
  normalized_interval age ago today now current_date current_localtime current_localtimestamp get_current_time
  get_current_timestamp transaction_timestamp timezone timezone_hour timezone_minute time_bucket julian yearweek`;

const LISTS = `list_value list_pack array_value list_extract array_extract list_element list_slice array_slice list_concat list_cat
  array_concat array_cat list_append array_append array_push_back list_prepend array_prepend array_push_front array_pop_back
  array_pop_front list_resize array_resize list_contains array_contains list_has array_has list_has_any array_has_any list_has_all
  array_has_all list_position list_indexof array_position array_indexof list_intersect array_intersect list_distinct array_distinct
  list_unique array_unique list_sort array_sort list_reverse_sort array_reverse_sort list_grade_up array_grade_up grade_up
  list_reverse array_reverse list_select array_select list_where array_where list_zip array_zip list_transform array_transform
  list_apply array_apply apply list_filter array_filter filter list_reduce array_reduce reduce flatten array_length len
  array_to_string list_aggregate list_aggr array_aggregate array_aggr aggregate list_any_value list_approx_count_distinct list_avg
  list_bit_and list_bit_or list_bit_xor list_bool_and list_bool_or list_count list_entropy list_first list_histogram list_kurtosis
  list_kurtosis_pop list_last list_mad list_max list_median list_min list_mode list_product list_sem list_skewness list_stddev_pop
  list_stddev_samp list_string_agg list_sum list_var_pop list_var_samp list_distance array_distance list_cosine_distance
  array_cosine_distance list_cosine_similarity array_cosine_similarity list_inner_product array_inner_product list_dot_product
  array_dot_product list_negative_inner_product array_negative_inner_product list_negative_dot_product array_negative_dot_product
  array_cross_product generate_series range generate_subscripts unnest unpivot_list`;

const RECORDS = `row struct_pack struct_extract struct_extract_at struct_concat struct_contains struct_has struct_indexof struct_position
  struct_insert struct_update struct_keys struct_values map map_extract map_extract_value element_at map_concat map_contains
  map_contains_entry map_contains_value map_entries map_from_entries map_keys map_values cardinality union_extract union_tag
  union_value enum_code enum_first enum_last enum_range enum_range_boundary`;

const JSON_FUNCTIONS = `json json_array json_array_length array_to_json json_contains json_exists json_extract json_extract_path
  json_extract_path_text json_extract_string json_keys json_merge_patch json_object json_pretty json_quote json_structure
  json_transform json_transform_strict json_type json_valid json_value from_json from_json_strict row_to_json to_json`;

const OTHERS = `coalesce ifnull nullif if error switch constant_or_null typeof pg_typeof alias can_cast_implicitly in not
  is_distinct_from`;

const GROUPS = [OPERATORS, AGGREGATES, WINDOWS, NUMBERS, TEXTS, TIMES, LISTS, RECORDS, JSON_FUNCTIONS, OTHERS];

/** In lower case. */
export const SQL_FUNCTIONS: ReadonlySet<string> = new Set(
  GROUPS.flatMap((names) => names.toLowerCase().trim().split(/\s+/)),
);

/** In FROM. */
export const SQL_TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'range',
  'generate_series',
  'unnest',
  'json_each',
  'json_tree',
]);
