import { join } from 'node:path'
import { shownColumns as payoutColumns } from '../../core/logistics/cash/sheet/columns.ts'
import { shownColumns as rowColumns } from '../../core/sales/channels/rows/fields.ts'
import { orderForm } from '../../core/sales/order-import/columns.ts'
import { productForm } from '../../core/shop/catalog/sheets/columns.ts'
import { shownColumns } from '../../core/shop/imports/columns-shown.ts'

export const IMPORTS_FILE = join(import.meta.dir, '../../docs/imports.md')
const MARK = '<!-- headings -->'

type Columns = ReturnType<typeof shownColumns>

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
export const headingTables = () =>
  [
    '\\* A sheet has it, or another one of those that are marked.',
    table('Products', shownColumns(productForm)),
    table('Orders', shownColumns(orderForm)),
    table('Payouts', payoutColumns),
    table('Rows of a connected spreadsheet', rowColumns),
  ].join('\n\n')

/** Replaces the tables in the text of the page. */
export const withHeadings = (page: string) => `${page.slice(0, page.indexOf(MARK) + MARK.length)}\n\n${headingTables()}\n`

if (import.meta.main) await Bun.write(IMPORTS_FILE, withHeadings(await Bun.file(IMPORTS_FILE).text()))
