/** The texts of problems of rules. Each follows the name of its field. */
import type { RuleProblemCode } from '../../../engine/rules/problems.ts';
import type { Text } from '../language/locale.ts';

export const RULE_PROBLEM_TEXTS = {
  rule_argument_constant: {
    en: '{name} must be a number or a $parameter',
    'zh-CN': '{name}必须是数字或$参数',
    'zh-TW': '{name}必須是數字或$參數',
  },
  rule_argument_count: {
    en: 'expected {usage}; found {count} arguments',
    'zh-CN': '应写作{usage}，此处有{count}个参数',
    'zh-TW': '應寫作{usage}，此處有{count}個引數',
  },
  rule_argument_integer: {
    en: '{name} must be a whole number from {min} to {max}',
    'zh-CN': '{name}必须是{min}到{max}的整数',
    'zh-TW': '{name}必須是{min}到{max}的整數',
  },
  rule_argument_range: {
    en: '{name} must be from {min} to {max}',
    'zh-CN': '{name}必须在{min}到{max}之间',
    'zh-TW': '{name}必須在{min}到{max}之間',
  },
  rule_argument_ticker: {
    en: "expected the ticker of an instrument in quotes, such as 'SPY'",
    'zh-CN': "此处应为带引号的代码，如'SPY'",
    'zh-TW': "此處應為帶引號的代號，如'SPY'",
  },
  rule_arguments_order: {
    en: '{smaller} must be smaller than {larger}',
    'zh-CN': '{smaller}必须小于{larger}',
    'zh-TW': '{smaller}必須小於{larger}',
  },
  rule_character: {
    en: 'the character {found} has no meaning in a rule',
    'zh-CN': '规则中不能使用字符{found}',
    'zh-TW': '規則中不能使用字元{found}',
  },
  rule_character_meant: {
    en: 'the character {found} has no meaning in a rule; write {meant}',
    'zh-CN': '规则中不能使用字符{found}，请写{meant}',
    'zh-TW': '規則中不能使用字元{found}，請寫{meant}',
  },
  rule_empty: { en: 'the rule is empty', 'zh-CN': '规则为空', 'zh-TW': '規則為空' },
  rule_group_unknown: {
    en: 'is no group: groups are asset_type and venue',
    'zh-CN': '不是分组：分组为asset_type和venue',
    'zh-TW': '不是分組：分組為asset_type和venue',
  },
  rule_market_here: {
    en: '{name} compares instruments of a universe: use it in a screen or a rotation, and not inside of(…)',
    'zh-CN': '{name}用于比较一组标的：只能用于筛选或轮动，且不能写在of(…)内',
    'zh-TW': '{name}用於比較一組標的：只能用於篩選或輪動，且不能寫在of(…)內',
  },
  rule_market_too_deep: {
    en: 'functions that compare instruments are nested more than {max} deep',
    'zh-CN': '比较标的的函数嵌套超过{max}层',
    'zh-TW': '比較標的的函式巢狀超過{max}層',
  },
  rule_needs_brackets: {
    en: '{name} needs parentheses: {usage}',
    'zh-CN': '{name}需要括号：{usage}',
    'zh-TW': '{name}需要括號：{usage}',
  },
  rule_needs_condition: {
    en: 'expected a condition, such as close > sma(50); found a value',
    'zh-CN': '此处应为条件（如close > sma(50)），而不是数值',
    'zh-TW': '此處應為條件（如close > sma(50)），而不是數值',
  },
  rule_needs_value: {
    en: 'expected a value, such as close; found a condition',
    'zh-CN': '此处应为数值（如close），而不是条件',
    'zh-TW': '此處應為數值（如close），而不是條件',
  },
  rule_no_brackets: {
    en: '{name} is written without parentheses',
    'zh-CN': '{name}不带括号',
    'zh-TW': '{name}不帶括號',
  },
  rule_no_text_here: {
    en: 'text in quotes is only the ticker of of, beta, and correlation',
    'zh-CN': '带引号的文字只能是of、beta、correlation的代码',
    'zh-TW': '帶引號的文字只能是of、beta、correlation的代號',
  },
  rule_number_too_large: {
    en: 'expected a number of at most {max}',
    'zh-CN': '数字不得大于{max}',
    'zh-TW': '數字不得大於{max}',
  },
  rule_only_others_here: {
    en: "{name} has no instrument here: write of('SPY', {name})",
    'zh-CN': "{name}在此没有对应标的：请写of('SPY', {name})",
    'zh-TW': "{name}在此沒有對應標的：請寫of('SPY', {name})",
  },
  rule_parameter_missing: {
    en: 'params has no value for {name}',
    'zh-CN': 'params中没有{name}的值',
    'zh-TW': 'params中沒有{name}的值',
  },
  rule_parameter_name: {
    en: '{name} cannot be the name of a parameter: at most {max} characters, and not the name of an overlay',
    'zh-CN': '{name}不能作为参数名：最多{max}个字符，且不得与通用参数同名',
    'zh-TW': '{name}不能作為參數名稱：最多{max}個字元，且不得與通用參數同名',
  },
  rule_parameter_range: {
    en: 'no value of {name} is valid for all of its uses',
    'zh-CN': '没有任何取值能满足{name}的所有用法',
    'zh-TW': '沒有任何取值能滿足{name}的所有用法',
  },
  rule_position_here: {
    en: '{name} has a value only while a position is held: use it in exit, stop, or trail',
    'zh-CN': '{name}仅在持仓期间有值，只能用于exit、stop或trail',
    'zh-TW': '{name}僅在持倉期間有值，只能用於exit、stop或trail',
  },
  rule_ticker_unknown: {
    en: 'no instrument has the symbol {symbol}',
    'zh-CN': '没有代码为{symbol}的标的',
    'zh-TW': '沒有代號為{symbol}的標的',
  },
  rule_too_deep: {
    en: 'is nested more than {max} levels deep',
    'zh-CN': '嵌套超过{max}层',
    'zh-TW': '巢狀超過{max}層',
  },
  rule_too_long: {
    en: 'has {length} characters; at most {max} are allowed',
    'zh-CN': '共{length}个字符，最多{max}个',
    'zh-TW': '共{length}個字元，最多{max}個',
  },
  rule_too_many_nodes: {
    en: 'has {count} names, numbers, and operators; at most {max} are allowed',
    'zh-CN': '共有{count}个名称、数字和运算符，最多{max}个',
    'zh-TW': '共有{count}個名稱、數字和運算子，最多{max}個',
  },
  rule_too_many_parameters: {
    en: 'at most {max} parameters are allowed',
    'zh-CN': '最多使用{max}个参数',
    'zh-TW': '最多使用{max}個參數',
  },
  rule_unexpected: {
    en: 'found {found}; expected {expected}',
    'zh-CN': '此处为{found}，应为{expected}',
    'zh-TW': '此處為{found}，應為{expected}',
  },
  rule_unexpected_end: {
    en: 'ends too early; expected {expected}',
    'zh-CN': '过早结束，应为{expected}',
    'zh-TW': '過早結束，應為{expected}',
  },
  rule_unknown_name: {
    en: '{name} is not known; the nearest name is {nearest}',
    'zh-CN': '未知名称{name}，最接近的名称是{nearest}',
    'zh-TW': '未知名稱{name}，最接近的名稱是{nearest}',
  },
} as const satisfies Record<RuleProblemCode, Text>;

/** Names for kinds of words that may stand at a position. */
export const EXPECTED_TEXTS: Readonly<Record<string, Text>> = {
  number: { en: 'a number', 'zh-CN': '数字', 'zh-TW': '數字' },
  name: { en: 'a name', 'zh-CN': '名称', 'zh-TW': '名稱' },
  $parameter: { en: 'a $parameter', 'zh-CN': '$参数', 'zh-TW': '$參數' },
  ticker: { en: "a ticker such as 'SPY'", 'zh-CN': "代码，如'SPY'", 'zh-TW': "代號，如'SPY'" },
  end: { en: 'the end', 'zh-CN': '结束', 'zh-TW': '結束' },
};
