// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

const STOCK = ['woocommerce', 'push-stock.ts'] as const

/** Faults in pushing stock levels. */
export const stockFaults: Mutations = {
  'wrong stock level pushed': [
    [...STOCK, "const available = wanted.get(text(one.sku) ?? '')", 'const available = [...wanted.values()][0]'],
    [...STOCK, 'stock_quantity: available ?? 0', 'stock_quantity: available || 1'],
    [...STOCK, '({ manage_stock: true, stock_quantity', '({ stock_quantity'],
    [...STOCK, 'one.manage_stock === true && one.stock_quantity === available ? [] : [{ one, available }]', '[{ one, available }]'],
  ],
  'stock level not pushed': [
    [...STOCK, ".filter(({ sku }) => !sku.includes(','))", ".filter(({ sku, available }) => available > 0 && !sku.includes(','))"],
    [...STOCK, 'of versions) {', 'of versions.slice(1)) {'],
    [...STOCK, "const products = changed.filter(({ one }) => one.type !== 'variation')", 'const products = changed.slice(0, 1)'],
    [...STOCK, ', per_page: PAGE }', ' }'],
  ],
  'refused stock push reported as done': [
    [...STOCK, '    isRow(error) ?', '    isRow(error) && !id ?'],
    [...STOCK, 'if (problem !== undefined) refused.push(`${one.sku}: ${problem}`)', ''],
    [
      ...STOCK,
      'if (problem !== undefined) refused.push(`${one.sku}: ${problem}`)',
      "if (problem !== undefined) throw new AdapterError('refused', problem)",
    ],
    [...STOCK, "if (!Array.isArray(value)) throw unreadable(LABEL, 'no list of products')", 'if (!Array.isArray(value)) return'],
  ],
}
