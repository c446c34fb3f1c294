/** Texts of the documentation. The guides themselves are in `guides/`. */
import { text } from '../../../engine/util/localized-text.ts';
import type { Text } from '../../http/language/locale.ts';

export const DOCS_TEXTS = {
  'page.docs': text('Guides', '指南', '指南'),
  'page.docs.description': text(
    'How to call the API: guides with programs in curl, Python, and TypeScript that run as they are.',
    '如何调用API：指南附有可直接运行的curl、Python与TypeScript程序。',
    '如何呼叫API：指南附有可直接執行的curl、Python與TypeScript程式。',
  ),
  'page.reference': text('API reference', 'API参考手册', 'API參考手冊'),
  'page.reference.description': text(
    'Every operation of the API with its parameters, examples, and errors, ready to try.',
    'API的全部操作，含参数、示例与错误，可在本页直接试用。',
    'API的所有操作，含參數、範例與錯誤，可在本頁直接試用。',
  ),
  'docs.lead': text(
    'Try every operation on this page. Programs and assistants can read the same in the OpenAPI description.',
    '全部操作均可在本页直接试用。正文为英文；程序与智能助手可读取OpenAPI描述。',
    '所有操作均可在本頁直接試用。內文為英文；程式與智慧助理可讀取OpenAPI描述。',
  ),
  'docs.search': text('Search the docs', '搜索文档', '搜尋文件'),
  'docs.start': text('Start', '入门', '入門'),
  'docs.data': text('Data', '数据', '資料'),
  'docs.research': text('Research', '研究', '研究'),
  'docs.reference': text('Reference', '参考', '參考'),
  'docs.first_call': text('First call', '第一次调用', '第一次呼叫'),
  'docs.limits': text('Limits', '限额', '限額'),
  'docs.paging': text('Paging', '分页', '分頁'),
  'docs.errors': text('Errors', '错误', '錯誤'),
  'docs.idempotency': text('Idempotency', '幂等', '冪等'),
  'docs.webhooks': text('Webhooks', 'Webhook', 'Webhook'),
  'docs.candles': text('Daily candles', '日K线', '日K線'),
  'docs.lake': text('The lake and SQL', '数据湖与SQL', '資料湖與SQL'),
  'docs.receipts': text('Receipts', '凭证', '憑證'),
  'docs.rules': text('Rules', '规则', '規則'),
  'docs.program': text('Program', '程序', '程式'),
  'docs.run': text('Run', '运行', '執行'),
  'docs.answer': text('Answer', '响应', '回應'),
  'docs.table': text('Table', '表格', '表格'),
  'docs.chart': text('Chart', '图表', '圖表'),
  'docs.headers': text('Headers', '响应头', '標頭'),
  'docs.answer_size': text('{ms} ms · {bytes} B', '{ms} ms · {bytes} B', '{ms} ms · {bytes} B'),
  'docs.answer_cut': text('The first {lines} lines', '仅前{lines}行', '僅前{lines}行'),
  'docs.error_key': text('Key', '名称', '名稱'),
  'docs.status': text('Status', '状态码', '狀態碼'),
  'docs.event': text('Event', '事件', '事件'),
} satisfies Record<string, Text>;
