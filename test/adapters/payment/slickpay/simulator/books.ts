export type Json = Readonly<Record<string, unknown>>

/** An invoice as SlickPay keeps it. */
export interface Kept {
  readonly id: number
  readonly owner: 'users' | 'merchants'
  /** What was asked for, as it came. */
  readonly asked: Json
  readonly serial: string
  /** Whole dinars. */
  amount: number
  isPaid: boolean
}

/** How the same things may be written: those who use it have seen some of each. */
export interface Spelling {
  numbersAs: 'numbers' | 'text' | 'grouped'
  completedAs: 'numbers' | 'text' | 'booleans'
  /** What SATIM said of it, as an object or as the text of one. */
  logAs: 'object' | 'text'
  /** In what form the names that were given come back. */
  metadataAs: 'object' | 'list'
}

export const usualSpelling: Spelling = { numbersAs: 'numbers', completedAs: 'numbers', logAs: 'object', metadataAs: 'object' }

const grouped = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 })
const amounts = {
  numbers: (value: number) => value,
  text: (value: number) => `${value}.00`,
  grouped: (value: number) => grouped.format(value),
}
const flags = { numbers: Number, text: (value: boolean) => String(Number(value)), booleans: (value: boolean) => value }

/** Nobody's real one. */
const MOST = 1_500_000

/** What is wrong with what was asked, by field, in the words that validators of its kind use. */
export function faultsIn(body: Json, accounts: readonly string[]): Record<string, string[]> {
  const required = ['amount', 'url', 'firstname', 'lastname', 'address', 'items'].filter((field) => {
    const value = body[field]
    return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  })
  const faults: Record<string, string[]> = Object.fromEntries(required.map((field) => [field, [`The ${field} field is required.`]]))
  if (Number(body.amount) > MOST) faults.amount = [`The amount must not be greater than ${MOST}.`]
  if (body.account !== undefined && !accounts.includes(String(body.account))) faults.account = ['Account not found']
  return faults
}

export type Books = ReturnType<typeof createBooks>

export function createBooks(spelling: Spelling) {
  const kept = new Map<number, Kept>()

  function create(owner: Kept['owner'], asked: Json): Kept {
    const id = 3_140_000 + kept.size
    const one: Kept = {
      id,
      owner,
      asked,
      serial: `PAY-${crypto.randomUUID().slice(0, 12).toUpperCase()}`,
      amount: Number(asked.amount),
      isPaid: false,
    }
    kept.set(id, one)
    return one
  }

  function of(id: string): Kept {
    const one = kept.get(Number(id))
    if (!one) throw new Error(`There is no invoice ${id}.`)
    return one
  }

  const pay = (id: string, amount?: number) => Object.assign(of(id), { isPaid: true, ...(amount !== undefined && { amount }) })

  const flag = (value: boolean) => flags[spelling.completedAs](value)

  function invoice({ id, serial, amount, isPaid }: Kept): Json {
    const log = { orderId: 'V721uPPfNNofVQAAABL3', OrderNumber: '0000000042', approvalCode: '913180', params: { respCode_desc: 'Accepté' } }
    return {
      id,
      completed: flag(isPaid),
      serial,
      status: isPaid ? 'Payé' : 'Initié',
      amount: amounts[spelling.numbersAs](amount),
      url: `https://slick-pay.com/invoice/payment/${serial}/merchant`,
      pay_method: 'satim',
      transaction: isPaid
        ? { amount: amounts[spelling.numbersAs](amount), log: spelling.logAs === 'text' ? JSON.stringify(log) : log }
        : null,
    }
  }

  const shown = (one: Kept): Json => ({ success: 1, completed: flag(one.isPaid), data: invoice(one) })

  /** A callback is an invoice as it is read, with the names that were given. */
  function told(one: Kept, change: Json = {}): Json {
    const given = one.asked.webhook_meta_data
    const names = spelling.metadataAs === 'list' ? [given] : given
    return { ...shown(one), data: { ...invoice(one), ...change }, webhook_meta_data: names, ...change }
  }

  return { create, of, get: (id: string) => kept.get(Number(id)), pay, shown, told, all: () => [...kept.values()] }
}
