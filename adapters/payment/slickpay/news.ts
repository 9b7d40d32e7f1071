import { beginning, type GatewayEvent, isRow, jsonIn, number, present, type Row, text, word, yes } from 'serai/payment'

export const ID_MAX = 200
const METHOD_MAX = 60
const WORDS_MAX = 500

/** Returns the invoice, which is in `data` or is the body itself. */
export const invoiceIn = (row: Row): Row => (isRow(row.data) ? row.data : row)

export const idIn = (row: Row): string | undefined => nameIn(row.id, ID_MAX)

/** Builds the event of an invoice; undefined when nothing is known. Only `completed` is read: the status texts are not published. */
export function invoiceEvent(invoice: Row): GatewayEvent | undefined {
  const { completed } = invoice
  if (!yes(completed))
    return isNo(completed) ? { status: 'open', ...present({ message: displayText(invoice.rejection_reason) }) } : undefined
  const amount = dinars(invoice.amount)
  if (amount === undefined) return undefined
  return {
    status: 'paid',
    amount,
    currency: 'DZD',
    ...present({ method: nameIn(invoice.pay_method, METHOD_MAX), message: messageIn(invoice) }),
  }
}

const isNo = (value: unknown) => [0, '0', false, 'false'].some((no) => no === value)

/** Returns SATIM's message: an object, or its JSON text. */
function messageIn({ transaction }: Row): string | undefined {
  const log = isRow(transaction) ? transaction.log : undefined
  const read = typeof log === 'string' ? jsonIn(log) : log
  if (!isRow(read)) return undefined
  const params = isRow(read.params) ? read.params : {}
  const said = text(params.respCode_desc) ?? text(read.actionCodeDescription)
  const [approval, order] = [word(read.approvalCode), word(read.orderId)]
  const named = [approval && `approval code ${approval}`, order && `SATIM ${order}`].filter(Boolean).join(', ')
  return displayText([said, named && `(${named})`].filter(Boolean).join(' '))
}

/** Control characters and text-direction marks, which are not displayed. */
const UNSHOWN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

const displayText = (value: unknown): string | undefined =>
  beginning(text(value)?.replace(UNSHOWN, ' ').trim() ?? '', WORDS_MAX) || undefined

/** Returns an id of printable ASCII, up to `max` characters; undefined otherwise. */
export function nameIn(value: unknown, max: number): string | undefined {
  const name = word(value)
  return name !== undefined && name.length <= max && /^[\x20-\x7e]+$/.test(name) ? name : undefined
}

const AMOUNT_MAX = 1e13
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d+)?$/

/** Parses dinars, also as `10,190.00`. */
function dinars(value: unknown): number | undefined {
  const found = number(typeof value === 'string' && GROUPED.test(value.trim()) ? value.replaceAll(',', '') : value)
  return found !== undefined && Number.isInteger(found) && found >= 0 && found <= AMOUNT_MAX ? found : undefined
}
