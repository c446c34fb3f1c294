/** The texts of problems of rules. Each follows the name of its field. */
import type { RuleProblemCode } from '../../../engine/rules/problems.ts';
import { text } from '../../../engine/util/localized-text.ts';
import type { Text } from '../language/locale.ts';

export const RULE_PROBLEM_TEXTS = {
  rule_argument_constant: text(
    '{name} must be a number or a $parameter',
    '{name}必须是数字或$参数',
    '{name}必須是數字或$參數',
  ),
  rule_argument_count: text(
    'expected {usage}; found {count} arguments',
    '应写作{usage}，此处有{count}个参数',
    '應寫作{usage}，此處有{count}個引數',
  ),
  rule_argument_integer: text(
    '{name} must be a whole number from {min} to {max}',
    '{name}必须是{min}到{max}的整数',
    '{name}必須是{min}到{max}的整數',
  ),
  rule_argument_range: text(
    '{name} must be from {min} to {max}',
    '{name}必须在{min}到{max}之间',
    '{name}必須在{min}到{max}之間',
  ),
  rule_argument_ticker: text(
    "expected the ticker of an instrument in quotes, such as 'SPY'",
    "此处应为带引号的代码，如'SPY'",
    "此處應為帶引號的代號，如'SPY'",
  ),
  rule_arguments_order: text(
    '{smaller} must be smaller than {larger}',
    '{smaller}必须小于{larger}',
    '{smaller}必須小於{larger}',
  ),
  rule_character: text(
    'the character {found} has no meaning in a rule',
    '规则中不能使用字符{found}',
    '規則中不能使用字元{found}',
  ),
  rule_character_meant: text(
    'the character {found} has no meaning in a rule; write {meant}',
    '规则中不能使用字符{found}，请写{meant}',
    '規則中不能使用字元{found}，請寫{meant}',
  ),
  rule_column_name: text(
    "expected the name of an own column in quotes, such as 'score'",
    "此处应为带引号的自有数据列名，如'score'",
    "此處應為帶引號的自有資料欄名，如'score'",
  ),
  rule_column_of_labels: text(
    "{name} has labels: compare it with one, as in my('{name}') = 'Tech', or use it as a group",
    "{name}的值是标签：请与标签比较（如my('{name}') = 'Tech'），或用作分组",
    "{name}的值是標籤：請與標籤比較（如my('{name}') = 'Tech'），或用作分組",
  ),
  rule_column_of_numbers: text(
    '{name} has numbers: it has no labels to compare with or to group by',
    '{name}的值是数字：不能与标签比较，也不能用作分组',
    '{name}的值是數字：不能與標籤比較，也不能用作分組',
  ),
  rule_column_unknown: text('you have no column {name}', '您没有名为{name}的数据列', '您沒有名為{name}的資料欄'),
  rule_empty: text('the rule is empty', '规则为空', '規則為空'),
  rule_group_unknown: text(
    "is no group: groups are asset_type, venue, and own columns of labels, such as my('sector')",
    "不是分组：分组为asset_type、venue，以及标签数据列，如my('sector')",
    "不是分組：分組為asset_type、venue，以及標籤資料欄，如my('sector')",
  ),
  rule_index_here: text(
    '{name} is the index of a universe: use it in a screen, a portfolio, or a rotation',
    '{name}是一组标的的指数：只能用于筛选、组合或轮动',
    '{name}是一組標的的指數：只能用於篩選、組合或輪動',
  ),
  rule_index_unknown: text(
    "{name} is no index: write '@market', or '@market:name' with an own column as weights",
    "{name}不是指数：请写'@market'，或以自有数据列为权重的'@market:name'",
    "{name}不是指數：請寫'@market'，或以自有資料欄為權重的'@market:name'",
  ),
  rule_market_here: text(
    '{name} compares instruments of a universe: use it in a screen or a rotation, and not inside of(…)',
    '{name}用于比较一组标的：只能用于筛选或轮动，且不能写在of(…)内',
    '{name}用於比較一組標的：只能用於篩選或輪動，且不能寫在of(…)內',
  ),
  rule_market_too_deep: text(
    'functions that compare instruments are nested more than {max} deep',
    '比较标的的函数嵌套超过{max}层',
    '比較標的的函式巢狀超過{max}層',
  ),
  rule_needs_brackets: text('{name} needs parentheses: {usage}', '{name}需要括号：{usage}', '{name}需要括號：{usage}'),
  rule_needs_condition: text(
    'expected a condition, such as close > sma(50); found a value',
    '此处应为条件（如close > sma(50)），而不是数值',
    '此處應為條件（如close > sma(50)），而不是數值',
  ),
  rule_needs_value: text(
    'expected a value, such as close; found a condition',
    '此处应为数值（如close），而不是条件',
    '此處應為數值（如close），而不是條件',
  ),
  rule_no_brackets: text('{name} is written without parentheses', '{name}不带括号', '{name}不帶括號'),
  rule_no_text_here: text(
    'text in quotes is only a ticker, as in of and beta, the name of an own column, or its label after = or !=',
    '带引号的文字只能是of、beta等的代码，自有数据列名，或=、!=后的标签',
    '帶引號的文字只能是of、beta等的代號，自有資料欄名，或=、!=後的標籤',
  ),
  rule_number_too_large: text('expected a number of at most {max}', '数字不得大于{max}', '數字不得大於{max}'),
  rule_only_others_here: text(
    "{name} has no instrument here: write of('SPY', {name})",
    "{name}在此没有对应标的：请写of('SPY', {name})",
    "{name}在此沒有對應標的：請寫of('SPY', {name})",
  ),
  rule_parameter_missing: text('params has no value for {name}', 'params中没有{name}的值', 'params中沒有{name}的值'),
  rule_parameter_name: text(
    '{name} cannot be the name of a parameter: at most {max} characters, and not the name of an overlay',
    '{name}不能作为参数名：最多{max}个字符，且不得与通用参数同名',
    '{name}不能作為參數名稱：最多{max}個字元，且不得與通用參數同名',
  ),
  rule_parameter_range: text(
    'no value of {name} is valid for all of its uses',
    '没有任何取值能满足{name}的所有用法',
    '沒有任何取值能滿足{name}的所有用法',
  ),
  rule_period_around: text(
    'monthly(…) and weekly(…) go by the bars of one instrument: write {name}(…) outside, as in rank(monthly(x))',
    'monthly(…)与weekly(…)只按单一标的的K线计算：请将{name}(…)写在外层，如rank(monthly(x))',
    'monthly(…)與weekly(…)只按單一標的的K線計算：請將{name}(…)寫在外層，如rank(monthly(x))',
  ),
  rule_position_here: text(
    '{name} has a value only while a position is held: use it in exit, stop, or trail',
    '{name}仅在持仓期间有值，只能用于exit、stop或trail',
    '{name}僅在持倉期間有值，只能用於exit、stop或trail',
  ),
  rule_ticker_unknown: text(
    'no instrument has the symbol {symbol}',
    '没有代码为{symbol}的标的',
    '沒有代號為{symbol}的標的',
  ),
  rule_too_deep: text('is nested more than {max} levels deep', '嵌套超过{max}层', '巢狀超過{max}層'),
  rule_too_long: text(
    'has {length} characters; at most {max} are allowed',
    '共{length}个字符，最多{max}个',
    '共{length}個字元，最多{max}個',
  ),
  rule_too_many_nodes: text(
    'has {count} names, numbers, and operators; at most {max} are allowed',
    '共有{count}个名称、数字和运算符，最多{max}个',
    '共有{count}個名稱、數字和運算子，最多{max}個',
  ),
  rule_too_many_parameters: text('at most {max} parameters are allowed', '最多使用{max}个参数', '最多使用{max}個參數'),
  rule_unexpected: text(
    'found {found}; expected {expected}',
    '此处为{found}，应为{expected}',
    '此處為{found}，應為{expected}',
  ),
  rule_unexpected_end: text(
    'ends too early; expected {expected}',
    '过早结束，应为{expected}',
    '過早結束，應為{expected}',
  ),
  rule_unknown_name: text(
    '{name} is not known; the nearest name is {nearest}',
    '未知名称{name}，最接近的名称是{nearest}',
    '未知名稱{name}，最接近的名稱是{nearest}',
  ),
} as const satisfies Record<RuleProblemCode, Text>;

/** Names for kinds of words that may stand at a position. */
export const EXPECTED_TEXTS: Readonly<Record<string, Text>> = {
  number: text('a number', '数字', '數字'),
  name: text('a name', '名称', '名稱'),
  $parameter: text('a $parameter', '$参数', '$參數'),
  ticker: text("a ticker such as 'SPY'", "代码，如'SPY'", "代號，如'SPY'"),
  end: text('the end', '结束', '結束'),
};
