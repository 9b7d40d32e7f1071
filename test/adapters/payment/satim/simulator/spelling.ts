import type { Json, Kept, State } from './books.ts'

/** How the same things may be written: its documents and those who use it differ. */
export interface Spelling {
  codesAs: 'numbers' | 'text'
  amountsAs: 'numbers' | 'text'
  currencyAs: 'text' | 'number'
  /** What a second confirmation is answered with. */
  repeatedAs: 'same' | 'refusal'
  declinedAs: '6' | '-1' | 'without'
  /** Whether `depositAmount` is what is left once some was given back, or what was taken. */
  depositAs: 'left' | 'taken' | 'without'
}

export const usualSpelling: Spelling = {
  codesAs: 'numbers',
  amountsAs: 'numbers',
  currencyAs: 'text',
  repeatedAs: 'same',
  declinedAs: '6',
  depositAs: 'left',
}

const statuses: Readonly<Record<State, number>> = {
  registered: 0,
  approved: 1,
  held: 1,
  deposited: 2,
  reversed: 3,
  refunded: 4,
  declined: 6,
}

/** Whether it tells a status at all. */
export const isTold = ({ state }: Kept, { declinedAs }: Spelling) => state !== 'declined' || declinedAs !== 'without'

/** An order as it is answered, with capitals. */
export function shown(one: Kept, spelling: Spelling): Json {
  const code = (value: number) => (spelling.codesAs === 'text' ? String(value) : value)
  const money = (value: number) => (spelling.amountsAs === 'text' ? String(value) : value)
  const { params, card, amount, state, asked } = one
  const left = spelling.depositAs === 'taken' && one.refunds.length > 0 ? amount : one.deposited
  const { force_terminal_id: _, ...udf } = params
  return {
    ErrorCode: code(0),
    ErrorMessage: 'Success',
    ...(isTold(one, spelling) && { OrderStatus: code(state === 'declined' && spelling.declinedAs === '-1' ? -1 : statuses[state]) }),
    OrderNumber: asked.orderNumber,
    Amount: money(amount),
    ...(spelling.depositAs !== 'without' && { depositAmount: money(left) }),
    currency: spelling.currencyAs === 'number' ? 12 : '012',
    Ip: '10.12.12.14',
    ...(card && paidBy(card)),
    params: { ...(card && { respCode: card.respCode, respCode_desc: card.words }), ...udf },
  }
}

function paidBy({ pan, respCode, words }: NonNullable<Kept['card']>): Json {
  return {
    expiration: '202701',
    cardholderName: 'KARIM TEST',
    Pan: `${pan.slice(0, 6)}****${pan.slice(-4)}`,
    ...(respCode === '00' && { approvalCode: '913180' }),
    actionCode: respCode === '00' ? 0 : 116,
    actionCodeDescription: words,
    SvfeResponse: respCode,
  }
}
