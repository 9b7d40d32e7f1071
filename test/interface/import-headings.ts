import { join } from 'node:path'
import { orderSheetForm } from '../../core/connectors/order-import/columns.ts'
import { REFERENCE_MAX } from '../../core/connectors/order-import/read-order.ts'
import { rowColumnDescriptions as rowColumns } from '../../core/connectors/shops/sheet-import/row-fields.ts'
import { MONEY_MAX } from '../../core/http/schema.ts'
import { documentedColumns as payoutColumns } from '../../core/money/remittances/sheet/columns.ts'
import { ORDER_LINES_MAX } from '../../core/orders/orders.model.ts'
import { productForm } from '../../core/shop/catalog/sheets/columns.ts'
import { ROWS_MAX } from '../../core/shop/imports/parse-sheet.ts'
import { presentColumns } from '../../core/shop/imports/present-columns.ts'
import { OPEN_IMPORTS_MAX } from '../../core/shop/imports/start-import.ts'

export const IMPORTS_FILE = join(import.meta.dir, '../../docs/imports.md')
const MARK = '<!-- headings -->'
const [LIMITS, LIMITS_END] = ['<!-- limits -->', '<!-- end of limits -->']

type Columns = ReturnType<typeof presentColumns>

const table = (title: string, columns: Columns) =>
  [
    `### ${title}`,
    '',
    '| column | meaning | other headings |',
    '|---|---|---|',
    ...columns.map(
      ({ column, headings, description, required }) =>
        `| \`${column}\`${required ? ' \\*' : ''} | ${description.replaceAll('|', '\\|')} | ${headings.join(', ')} |`,
    ),
  ].join('\n')

/** Writes the tables of headings as they stand in the page. */
const headingTables = () =>
  [
    '\\* A sheet has it, or another one of those that are marked.',
    table('Products', presentColumns(productForm)),
    table('Orders', presentColumns(orderSheetForm)),
    table('Payouts', payoutColumns),
    table('Rows of a connected spreadsheet', rowColumns),
  ].join('\n\n')

const number = (value: number) => value.toLocaleString('en')

/** Writes the limits of an import of orders, as the code has them. */
const orderLimits = () =>
  [
    `An order of a sheet has at most ${number(ORDER_LINES_MAX)} lines, and a reference at most ${number(REFERENCE_MAX)} characters; no amount of it, and no sum of its`,
    `goods, is above ${number(MONEY_MAX)}. A sheet has at most ${number(ROWS_MAX)} rows, and a store at most ${OPEN_IMPORTS_MAX} sheets that are being worked on (409).`,
  ].join('\n')

const withLimits = (page: string) =>
  `${page.slice(0, page.indexOf(LIMITS) + LIMITS.length)}\n${orderLimits()}\n${page.slice(page.indexOf(LIMITS_END))}`

/** Replaces the limits and the tables in the text of the page. */
export const withHeadings = (page: string) => withLimits(`${page.slice(0, page.indexOf(MARK) + MARK.length)}\n\n${headingTables()}\n`)

if (import.meta.main) await Bun.write(IMPORTS_FILE, withHeadings(await Bun.file(IMPORTS_FILE).text()))
