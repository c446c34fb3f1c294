/** The functions that queries may call: pure ones over values, whose work is bounded by their input. */

const OPERATORS = '+ - * / // % ** ^ || & | << >> ~ @ ! ~~ !~~ ~~~ ~~* !~~* ^@ <=> ->> -> && <@ @>';

const AGGREGATES = `any_value arbitrary arg_max arg_min argmax argmin max_by min_by array_agg list avg mean bit_and bit_or bit_xor
  bool_and bool_or count count_if countif count_star sum sum_no_overflow fsum kahan_sum favg product min max first last
  string_agg group_concat listagg approx_count_distinct approx_quantile mode median quantile quantile_cont quantile_disc mad
  stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp skewness kurtosis kurtosis_pop entropy
  regr_slope regr_intercept regr_r2 regr_count regr_avgx regr_avgy regr_sxx regr_syy regr_sxy sem histogram grouping`;

const WINDOWS =
  'row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value fill';

const NUMBERS = `abs ceil ceiling floor round trunc sign sqrt cbrt exp ln log log2 log10 pow power mod fmod fdiv divide add subtract
  multiply greatest least sin cos tan asin acos atan atan2 sinh cosh tanh cot degrees radians pi even gcd lcm factorial gamma
  lgamma isnan isinf isfinite nextafter signbit xor width_bucket`;

const TEXTS = `lower upper lcase ucase length strlen char_length character_length trim ltrim rtrim substring substr left right
  concat concat_ws contains prefix suffix starts_with ends_with position strpos instr replace reverse split_part
  string_split str_split split translate ascii chr ord format printf regexp_matches regexp_full_match regexp_extract
  regexp_replace like_escape ilike_escape not_like_escape not_ilike_escape levenshtein jaro_similarity hash md5`;

const TIMES = `year month day quarter week weekofyear dayofweek dayofmonth dayofyear isodow isoyear decade century epoch hour minute
  second date_part datepart date_trunc datetrunc date_diff datediff date_sub datesub date_add last_day dayname monthname
  make_date strftime strptime try_strptime to_days to_weeks to_months to_years to_quarters age today current_date
  time_bucket julian week yearweek`;

const OTHERS = `coalesce ifnull nullif if error ifnull constant_or_null typeof list_value array_value list_sum list_avg list_min
  list_max list_count list_sort list_distinct list_contains list_extract list_element list_position list_unique list_reverse
  list_slice array_slice list_transform list_filter list_apply list_has list_has_any list_has_all list_any_value list_first
  list_last list_concat list_cat array_length len array_extract struct_pack row struct_extract map map_extract element_at unnest
  cardinality in not is_distinct_from generate_subscripts`;

export const SQL_FUNCTIONS: ReadonlySet<string> = new Set(
  [OPERATORS, AGGREGATES, WINDOWS, NUMBERS, TEXTS, TIMES, OTHERS].flatMap((names) => names.split(/\s+/)),
);
