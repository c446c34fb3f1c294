import { RULE_PROBLEM_TEXTS } from '../../rules/problem-texts.ts';
import type { Text } from '../language/text.ts';

/** Descriptions of what is wrong with a field of a request. Each follows the name of the field. */
export const PROBLEM_TEXTS = {
  ...RULE_PROBLEM_TEXTS,
  above_maximum: { en: 'expected at most {max}', 'zh-CN': '不得大于 {max}', 'zh-TW': '不得大於 {max}' },
  below_minimum: { en: 'expected at least {min}', 'zh-CN': '不得小于 {min}', 'zh-TW': '不得小於 {min}' },
  control_characters: {
    en: 'must not contain control characters',
    'zh-CN': '不得包含控制字符',
    'zh-TW': '不得包含控制字元',
  },
  expected_array: { en: 'expected an array', 'zh-CN': '应为数组', 'zh-TW': '應為陣列' },
  expected_boolean: { en: 'expected true or false', 'zh-CN': '应为 true 或 false', 'zh-TW': '應為 true 或 false' },
  expected_email: { en: 'expected an e-mail address', 'zh-CN': '应为电子邮箱地址', 'zh-TW': '應為電子郵件地址' },
  expected_instant: { en: 'expected {expected}', 'zh-CN': '应为 {expected}', 'zh-TW': '應為 {expected}' },
  expected_integer: { en: 'expected a whole number', 'zh-CN': '应为整数', 'zh-TW': '應為整數' },
  expected_number: { en: 'expected a number', 'zh-CN': '应为数字', 'zh-TW': '應為數字' },
  expected_object: { en: 'expected an object', 'zh-CN': '应为对象', 'zh-TW': '應為物件' },
  expected_string: { en: 'expected a string', 'zh-CN': '应为字符串', 'zh-TW': '應為字串' },
  expected_url: {
    en: 'expected a web address (http or https)',
    'zh-CN': '应为网址（http 或 https）',
    'zh-TW': '應為網址（http 或 https）',
  },
  expected_uuid: { en: 'expected a UUID', 'zh-CN': '应为 UUID', 'zh-TW': '應為 UUID' },
  either_or: {
    en: 'give either {one} or {other}',
    'zh-CN': '请在 {one} 与 {other} 中二选一',
    'zh-TW': '請在 {one} 與 {other} 中擇一',
  },
  screen_found_nothing: {
    en: 'finds no symbol on {date}',
    'zh-CN': '在 {date} 未找到任何代码',
    'zh-TW': '在 {date} 未找到任何代號',
  },
  universe_empty: {
    en: 'leaves no symbol of the universe',
    'zh-CN': '使该范围内没有任何代码',
    'zh-TW': '使該範圍內沒有任何代號',
  },
  only_with: {
    en: 'is possible only with {name}',
    'zh-CN': '只能与 {name} 一起使用',
    'zh-TW': '只能與 {name} 一起使用',
  },
  fits_no_form: {
    en: 'matches none of the allowed forms',
    'zh-CN': '不符合任何允许的形式',
    'zh-TW': '不符合任何允許的形式',
  },
  grid_empty: {
    en: 'has no parameter; at least one is required',
    'zh-CN': '未包含任何参数，至少需要一个',
    'zh-TW': '未包含任何參數，至少需要一個',
  },
  grid_from_above_to: {
    en: 'from must not be greater than to',
    'zh-CN': 'from 不得大于 to',
    'zh-TW': 'from 不得大於 to',
  },
  grid_has_no_combination: {
    en: 'the strategy allows none of the combinations',
    'zh-CN': '没有任何组合符合策略要求',
    'zh-TW': '沒有任何組合符合策略要求',
  },
  grid_lacks_name: {
    en: '{name} is not in the grid',
    'zh-CN': '参数网格中没有 {name}',
    'zh-TW': '參數網格中沒有 {name}',
  },
  grid_name_twice: {
    en: 'expected two different parameters',
    'zh-CN': '应为两个不同的参数',
    'zh-TW': '應為兩個不同的參數',
  },
  grid_too_many_combinations: {
    en: 'has {count} combinations; at most {max} are allowed',
    'zh-CN': '共 {count} 种组合，最多允许 {max} 种',
    'zh-TW': '共 {count} 種組合，最多允許 {max} 種',
  },
  grid_too_many_values: {
    en: 'expected at most {max} values',
    'zh-CN': '最多 {max} 个取值',
    'zh-TW': '最多 {max} 個取值',
  },
  grid_too_much_work: {
    en: 'has {count} combinations on {symbols} symbols; choose fewer of either, or a shorter range',
    'zh-CN': '共 {count} 种组合、{symbols} 个代码，计算量过大；请减少组合或代码，或缩短区间',
    'zh-TW': '共 {count} 種組合、{symbols} 個代號，計算量過大；請減少組合或代號，或縮短區間',
  },
  grid_too_many_windows: {
    en: 'too many windows for this many combinations',
    'zh-CN': '组合数过多，滚动窗口数超出上限',
    'zh-TW': '組合數過多，滾動視窗數超出上限',
  },
  grid_window_too_long: {
    en: 'a window of {needed} bars does not fit into a range of {bars}',
    'zh-CN': '窗口共 {needed} 根日线，超出范围内的 {bars} 根',
    'zh-TW': '視窗共 {needed} 根日線，超出範圍內的 {bars} 根',
  },
  invalid: { en: 'is not valid', 'zh-CN': '无效', 'zh-TW': '無效' },
  invalid_name: { en: 'has an invalid name', 'zh-CN': '名称无效', 'zh-TW': '名稱無效' },
  list_too_long: { en: 'expected at most {max} entries', 'zh-CN': '最多 {max} 项', 'zh-TW': '最多 {max} 項' },
  list_too_short: { en: 'expected at least {min} entries', 'zh-CN': '至少 {min} 项', 'zh-TW': '至少 {min} 項' },
  needs_second_value: {
    en: '{op} needs a second value',
    'zh-CN': '{op} 需要第二个数值',
    'zh-TW': '{op} 需要第二個數值',
  },
  needs_value: { en: '{op} needs a value', 'zh-CN': '{op} 需要一个数值', 'zh-TW': '{op} 需要一個數值' },
  no_period: {
    en: 'is not accepted here: {field} has no period',
    'zh-CN': '不适用：{field} 没有周期参数',
    'zh-TW': '不適用：{field} 沒有週期參數',
  },
  not_above: { en: 'expected more than {min}', 'zh-CN': '必须大于 {min}', 'zh-TW': '必須大於 {min}' },
  not_below: { en: 'expected less than {max}', 'zh-CN': '必须小于 {max}', 'zh-TW': '必須小於 {max}' },
  not_below_other: { en: 'must be less than {other}', 'zh-CN': '必须小于 {other}', 'zh-TW': '必須小於 {other}' },
  not_between: {
    en: 'expected {min} to {max}',
    'zh-CN': '应在 {min} 到 {max} 之间',
    'zh-TW': '應介於 {min} 到 {max} 之間',
  },
  not_multiple_of: {
    en: 'expected a multiple of {divisor}',
    'zh-CN': '应为 {divisor} 的倍数',
    'zh-TW': '應為 {divisor} 的倍數',
  },
  not_one_of: {
    en: 'expected one of {allowed}',
    'zh-CN': '应为以下之一：{allowed}',
    'zh-TW': '應為以下之一：{allowed}',
  },
  not_printable: {
    en: 'expected {min} to {max} printable characters',
    'zh-CN': '应为 {min} 到 {max} 个可打印字符',
    'zh-TW': '應為 {min} 到 {max} 個可列印字元',
  },
  not_together: {
    en: 'cannot be given together with {name}',
    'zh-CN': '不能与 {name} 同时提供',
    'zh-TW': '不能與 {name} 同時提供',
  },
  nothing_expected: {
    en: 'unknown name; nothing is expected here',
    'zh-CN': '未知名称，此处不接受任何字段',
    'zh-TW': '未知名稱，此處不接受任何欄位',
  },
  only_for: { en: 'is for {kind} only', 'zh-CN': '仅适用于 {kind}', 'zh-TW': '僅適用於 {kind}' },
  required: { en: 'is required', 'zh-CN': '必须提供', 'zh-TW': '必須提供' },
  same_as: {
    en: 'is another name for {name}; send only one of them',
    'zh-CN': '与 {name} 是同一参数，只能提供其中一个',
    'zh-TW': '與 {name} 是同一參數，只能提供其中一個',
  },
  rules_need_strategy: {
    en: 'is only taken with strategy "rules"',
    'zh-CN': '仅在 strategy 为 "rules" 时使用',
    'zh-TW': '僅在 strategy 為 "rules" 時使用',
  },
  smaller_than_value: { en: 'must not be less than value', 'zh-CN': '不得小于 value', 'zh-TW': '不得小於 value' },
  symbols_or_screen: {
    en: 'either symbols or screen is required, and not both',
    'zh-CN': 'symbols 与 screen 必须且只能提供一个',
    'zh-TW': 'symbols 與 screen 必須且只能提供一個',
  },
  text_too_long: {
    en: 'expected at most {max} characters',
    'zh-CN': '最多 {max} 个字符',
    'zh-TW': '最多 {max} 個字元',
  },
  text_too_short: {
    en: 'expected at least {min} characters',
    'zh-CN': '至少 {min} 个字符',
    'zh-TW': '至少 {min} 個字元',
  },
  unknown_name: {
    en: 'unknown name; the nearest known one is "{nearest}"',
    'zh-CN': '未知名称，最接近的已知名称是“{nearest}”',
    'zh-TW': '未知名稱，最接近的已知名稱是「{nearest}」',
  },
  unknown_symbol: { en: '{symbol} is not known', 'zh-CN': '未知的代码 {symbol}', 'zh-TW': '未知的代號 {symbol}' },
  value_excluded: { en: '{value} is not allowed', 'zh-CN': '不允许取值 {value}', 'zh-TW': '不允許取值 {value}' },
  webhook_event_of_administrators: {
    en: '{event} is for administrators only',
    'zh-CN': '{event} 仅限管理员订阅',
    'zh-TW': '{event} 僅限管理員訂閱',
  },
  webhook_not_https: {
    en: 'must begin with https://',
    'zh-CN': '必须以 https:// 开头',
    'zh-TW': '必須以 https:// 開頭',
  },
  webhook_private: {
    en: 'is an address of a private network; it must be reachable on the public internet',
    'zh-CN': '是私有网络地址，必须能从公网访问',
    'zh-TW': '是私有網路位址，必須能從公開網路連上',
  },
  webhook_url: {
    en: 'expected an address such as https://example.com/hooks, without user name, password, and fragment',
    'zh-CN': '应为 https://example.com/hooks 这样的地址，不得包含用户名、密码或片段',
    'zh-TW': '應為 https://example.com/hooks 這樣的位址，不得包含使用者名稱、密碼或片段',
  },
  wrong_format: { en: 'has the wrong format', 'zh-CN': '格式不正确', 'zh-TW': '格式不正確' },
  wrong_pattern: {
    en: 'expected text that matches {pattern}',
    'zh-CN': '应匹配 {pattern}',
    'zh-TW': '應符合 {pattern}',
  },
  wrong_type: { en: 'has the wrong type', 'zh-CN': '类型不正确', 'zh-TW': '類型不正確' },
} as const satisfies Record<string, Text>;
