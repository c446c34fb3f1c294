/** Weights to hold, one portfolio or up to three beside each other. */
import { text } from '../../../engine/util/localized-text.ts';
import type { Text } from '../../http/language/locale.ts';

export const WEIGHTS_TEXTS = {
  'weights.heading': text('Weights beside each other', '权重组合对比', '權重組合比較'),
  'weights.portfolio': text('Portfolio {letter}', '组合{letter}', '組合{letter}'),
  'weights.remove_portfolio': text('Remove the portfolio {name}', '移除组合{name}', '移除組合{name}'),
  'weights.add': text('+ Compare with another portfolio', '+ 与另一组合对比', '+ 與另一組合比較'),
  'weights.preset.sixty_forty': text('60/40', '60/40', '60/40'),
  'weights.preset.all_weather': text('All-weather', '全天候', '全天候'),
  'weights.preset.equal': text('Equal', '等权', '等權'),
  'weights.symbol': text('Symbol {n}', '代码{n}', '代碼{n}'),
  'weights.weight': text('Weight of {symbol}, %', '{symbol}的权重（%）', '{symbol}的權重（%）'),
  'weights.remove': text('Remove {symbol}', '移除{symbol}', '移除{symbol}'),
  'weights.add_symbol': text('+ Symbol', '+ 证券', '+ 證券'),
  'weights.whole': text('Sum 100%', '合计100%', '合計100%'),
  'weights.sum': text('Sum {sum}%, cash {cash}%', '合计{sum}%，现金{cash}%', '合計{sum}%，現金{cash}%'),
  'weights.above': text('Sum {sum}%: above 100%', '合计{sum}%，超过100%', '合計{sum}%，超過100%'),
  'weights.rebalance': text('Rebalance', '再平衡', '再平衡'),
  'weights.rebalance.none': text('Never', '从不', '從不'),
  'weights.rebalance.week': text('Weekly', '每周', '每週'),
  'weights.rebalance.month': text('Monthly', '每月', '每月'),
  'weights.rebalance.quarter': text('Quarterly', '每季度', '每季'),
  'weights.rebalance.year': text('Yearly', '每年', '每年'),
  'weights.rebalance.band': text(
    'Once a weight is {points} points off',
    '权重偏离{points}个百分点时',
    '權重偏離{points}個百分點時',
  ),
  'weights.flow': text('Money in', '定期投入', '定期投入'),
  'weights.flow.hint': text('Below 0: taken out', '负数为取出', '負數為提領'),
  'weights.every': text('Every', '周期', '週期'),
  'weights.run': text('Run the portfolio', '运行组合', '執行組合'),
  'weights.compare': text('Compare the portfolios', '对比组合', '比較組合'),
  'weights.alone': text(
    'Open one to see its whole report, and to keep or share it.',
    '打开其中一个可查看完整报告，并保存或分享。',
    '開啟其中一個可查看完整報告，並儲存或分享。',
  ),
  'weights.value': text(
    'Value with the money that went in and out, as a change from the start, {start} to {end}',
    '含资金进出的市值，相对起点的变化，{start}至{end}',
    '含資金進出的市值，相對起點的變化，{start}至{end}',
  ),
  'weights.contributed': text('Contributed', '累计投入', '累計投入'),
  'weights.money_weighted': text('Money-weighted, a year', '资金加权年化', '資金加權年化'),
} as const satisfies Record<string, Text>;
