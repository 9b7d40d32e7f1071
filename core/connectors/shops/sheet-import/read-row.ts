import type { ExternalOrder } from '../../../../plugins/connector/index.ts'
import { printed } from '../../../../plugins/connector/written.ts'
import { beginning } from '../../../../plugins/toolkit/values.ts'
import { fullNameOf } from './full-name.ts'
import { assertUnroundedNumber, type RowCells, readRowGoods, UnreadableRow } from './read-goods.ts'
import { isCancelledText } from './sheet-texts.ts'

interface Row {
  /** Id of the row in the sheet. */
  readonly name: string
  readonly cells: RowCells
}
interface ReadContext {
  readonly currency: string
  readonly now: string
}

/** Reads a row of a user's sheet as an order, or returns the reason why it is none. Texts stay as typed. */
export function readRowOrder(row: Row, context: ReadContext): ExternalOrder | UnreadableRow {
  try {
    return orderIn(row, context)
  } catch (error) {
    if (error instanceof UnreadableRow) return error
    throw error
  }
}

function orderIn({ name, cells }: Row, { currency, now }: ReadContext): ExternalOrder {
  const { phone, phoneAlt, email, country } = cells
  for (const name of [phone, phoneAlt, cells.reference]) if (name !== undefined) assertUnroundedNumber(name)
  return {
    externalId: name,
    number: printed(cells.reference, 100) ?? name,
    status: isCancelledText(cells.status ?? '') ? 'cancelled' : 'open',
    ...(cells.status && { statusWords: printed(cells.status, 100) ?? '' }),
    currency,
    customer: {
      name: typed(fullNameOf(cells), 200),
      ...(phone && { phone: typed(phone, 60) }),
      ...(phoneAlt && { phoneAlt: typed(phoneAlt, 60) }),
      ...(email && { email: typed(email, 254) }),
    },
    address: {
      ...(country && /^[A-Za-z]{2}$/.test(country) && { country }),
      state: typed(cells.state, 120),
      city: typed(cells.city, 120),
      address: typed(cells.address, 500),
    },
    ...readRowGoods(cells, currency),
    ...(cells.note && { note: typed(cells.note, 2000) }),
    updatedAt: now,
    raw: cells,
  }
}

const typed = (value = '', max: number) => beginning(value.replaceAll('\u0000', ''), max)
