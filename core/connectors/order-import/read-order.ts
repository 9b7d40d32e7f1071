import type { DeliveryType } from '../../../plugins/carrier/model.ts'
import { beginning } from '../../../plugins/toolkit/values.ts'
import { parseMoney } from '../../http/body/amount.ts'
import { MONEY_MAX } from '../../http/schema.ts'
import { invalidField } from '../../lib/errors/domain-error.ts'
import { decimal, decimalNumber } from '../../lib/money/decimal.ts'
import { describeProblem, describeRounded, isRoundedBySpreadsheet, parseNumber } from '../../lib/money/parse-number.ts'
import { type NewOrder, ORDER_LINES_MAX } from '../../orders/orders.model.ts'
import { fold } from '../../platform/geo/names/fold.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { ExternalItem } from '../shops/connectors.model.ts'
import { fullNameOf } from '../shops/sheet-import/full-name.ts'
import { readRowItems, UnreadableRow } from '../shops/sheet-import/read-goods.ts'
import type { OrderCells, OrderColumn } from './columns.ts'
import { orderImportErrors } from './order-import.errors.ts'
import { type OrderAmounts, readOrderAmounts } from './read-amounts.ts'

/** Order as its rows state it. Prices are decimals. */
export interface SheetOrderContent extends OrderAmounts {
  readonly order: Omit<NewOrder, 'storeId' | 'items'>
  readonly items: readonly ExternalItem[]
  readonly isConfirmed: boolean
}

/** Longest reference of an order, in characters. */
export const REFERENCE_MAX = 200
/** Columns that describe a line; all others describe the order. */
const LINE_COLUMNS: readonly OrderColumn[] = ['products', 'sku', 'variant', 'quantity', 'price']
/** Columns with identifiers, which a spreadsheet must not have rounded. */
const IDENTIFIER_COLUMNS: readonly OrderColumn[] = ['reference', 'phone', 'phoneAlt', 'sku']

/** Reads the rows of an order. Throws `invalid_request` with the column that is wrong. */
export function readSheetOrder(
  rows: readonly OrderCells[],
  { countryCode, currencyCode }: Pick<Store, 'countryCode' | 'currencyCode'>,
): SheetOrderContent {
  assertLines(rows.length)
  for (const row of rows) for (const column of IDENTIFIER_COLUMNS) assertNotRounded(row, column)
  const orderCells = orderCellsOf(rows)
  const lines = rows.map((row) => ({ items: itemsOf(row), price: row.price }))
  assertLines(lines.reduce((sum, { items }) => sum + items.length, 0))
  const read = (column: OrderColumn, written: string) => amountIn(column, written, currencyCode)
  const { country, email, phoneAlt } = orderCells
  if (country !== undefined && !/^[A-Za-z]{2}$/.test(country)) throw orderImportErrors.countryInvalid({ field: ['country'] })
  return {
    order: {
      customer: { name: fullNameOf(orderCells), phone: orderCells.phone ?? '', ...(phoneAlt && { phoneAlt }), ...(email && { email }) },
      destination: {
        country: country ?? countryCode,
        stateCode: orderCells.state ?? orderCells.city ?? '',
        cityName: orderCells.city ?? orderCells.state ?? '',
        address: orderCells.address ?? '',
        deliveryType: deliveryTypeIn(orderCells.deliveryType),
      },
      ...(orderCells.note && { note: orderCells.note }),
      ...(orderCells.reference && { metadata: { reference: beginning(orderCells.reference, REFERENCE_MAX) } }),
    },
    items: lines.flatMap(({ items }) => items),
    isConfirmed: isConfirmed(orderCells.status),
    ...readOrderAmounts(orderCells, lines, currencyCode, read),
  }
}

/** Collects the cells that describe the whole order. Throws if two rows differ. */
function orderCellsOf(rows: readonly OrderCells[]): OrderCells {
  const orderCells: Partial<Record<OrderColumn, string>> = {}
  for (const row of rows)
    for (const [name, cell] of Object.entries(row)) {
      const column = name as OrderColumn
      if (LINE_COLUMNS.includes(column)) continue
      orderCells[column] ??= cell
      if (orderCells[column] !== cell) throw orderImportErrors.rowsDiffer({ field: [column] })
    }
  return orderCells
}

function assertLines(count: number) {
  if (count > ORDER_LINES_MAX) throw orderImportErrors.tooManyLines({ count, orderLinesMax: ORDER_LINES_MAX }, { field: ['reference'] })
}

const abbreviated = (cell: string) => cell.slice(0, 40)

function assertNotRounded(row: OrderCells, column: OrderColumn) {
  const cell = row[column]
  if (cell !== undefined && isRoundedBySpreadsheet(cell)) throw invalidField([column], describeRounded(cell))
}

function itemsOf(cells: OrderCells): ExternalItem[] {
  try {
    return readRowItems(cells)
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error
    const isQuantity = error.problem === 'quantity'
    const field = isQuantity ? ['quantity'] : ['products']
    if (error.detail !== null) throw invalidField(field, error.detail)
    throw orderImportErrors[isQuantity ? 'quantityMissing' : 'productMissing']({ field })
  }
}

function amountIn(column: OrderColumn, written: string, currency: string): bigint {
  const reading = parseNumber(written, { currency, hasWords: true })
  if ('problem' in reading) throw invalidField([column], describeProblem(written, reading.problem, currency))
  if (reading.value > decimal(MONEY_MAX))
    throw orderImportErrors.amountTooHigh({ written: abbreviated(written), moneyMax: MONEY_MAX }, { field: [column] })
  return parseMoney(decimalNumber(reading.value), [column], currency)
}

const foldedSet = (...words: string[]) => new Set(words.map(fold))
const pendingTexts = foldedSet(
  'pending',
  'new',
  'nouveau',
  'nouvelle',
  'en attente',
  'à confirmer',
  'non confirmé',
  'جديد',
  'جديدة',
  'قيد الانتظار',
  'في الانتظار',
  'غير مؤكد',
)
const confirmedTexts = foldedSet('confirmed', 'confirmé', 'confirmée', 'مؤكد', 'مؤكدة', 'تم التأكيد')

function isConfirmed(status: string | undefined): boolean {
  if (status === undefined || pendingTexts.has(fold(status))) return false
  if (confirmedTexts.has(fold(status))) return true
  throw orderImportErrors.statusNotImported({ status: abbreviated(status) }, { field: ['status'] })
}

const homeTexts = foldedSet(
  'home',
  'domicile',
  'à domicile',
  'livraison à domicile',
  'maison',
  'door',
  'المنزل',
  'للمنزل',
  'إلى المنزل',
  'توصيل للمنزل',
  'البيت',
)
const pickupTexts = foldedSet(
  'pickup',
  'pickup point',
  'bureau',
  'au bureau',
  'stop desk',
  'stopdesk',
  'desk',
  'point relais',
  'relais',
  'المكتب',
  'للمكتب',
  'مكتب',
  'نقطة الاستلام',
)

function deliveryTypeIn(written: string | undefined): DeliveryType {
  if (written === undefined || homeTexts.has(fold(written))) return 'home'
  if (pickupTexts.has(fold(written))) return 'pickup'
  throw orderImportErrors.deliveryTypeUnknown({ written: abbreviated(written) }, { field: ['deliveryType'] })
}
