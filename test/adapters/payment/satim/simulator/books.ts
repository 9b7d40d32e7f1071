export type Json = Readonly<Record<string, unknown>>
/** `approved`: the payer's bank said yes, and the shop has not confirmed it yet. `held`: confirmed, and still only held. */
export type State = 'registered' | 'approved' | 'held' | 'deposited' | 'declined' | 'reversed' | 'refunded'

/** An order as SATIM keeps it. */
export interface Kept {
  readonly orderId: string
  /** What was asked for, as it came, and what its `jsonParams` say. */
  readonly asked: Readonly<Record<string, string>>
  readonly params: Json
  readonly createdAt: number
  /** In centimes. */
  readonly amount: number
  state: State
  /** What was taken and not given back. */
  deposited: number
  approvedAt: number | undefined
  confirmations: number
  card: Card | undefined
  readonly refunds: number[]
}

export interface Card {
  readonly pan: string
  readonly respCode: string
  readonly words: string
}

const CARDS: Readonly<Record<string, readonly [respCode: string, words: string]>> = {
  '6280581110007215': ['00', 'Votre paiement a été accepté'],
  '6280581110006712': ['62', 'Votre carte est bloquée temporairement'],
  '6280581110006316': ['41', 'Votre carte est déclarée perdue'],
  '6280581110006415': ['43', 'Votre carte est déclarée volée'],
  '6280580610061110': ['51', 'Solde insuffisant'],
  '6280580610061219': ['61', 'Plafond de la carte dépassé'],
  '6280581110006514': ['82', 'CVV2 incorrect'],
}
export const GOOD_CARD = '6280581110007215'
export const POOR_CARD = '6280580610061110'

const cardOf = (pan: string): Card => {
  const [respCode, words] = CARDS[pan] ?? ['14', 'Carte inconnue']
  return { pan, respCode, words }
}

/** How long SATIM waits for the shop to confirm; nobody's real time. */
const CONFIRM_MS = 20 * 60_000

export type Books = ReturnType<typeof createBooks>

export function createBooks(now: () => number) {
  const kept = new Map<string, Kept>()

  const numbered = (orderNumber: string | undefined) => [...kept.values()].find(({ asked }) => asked.orderNumber === orderNumber)

  function register(asked: Kept['asked'], params: Json): Kept {
    const orderId = crypto.randomUUID().replaceAll('-', '').slice(0, 20)
    const amount = Number(asked.amount)
    const one: Kept = {
      ...{ orderId, asked, params, amount, createdAt: now(), state: 'registered', deposited: 0, approvedAt: undefined },
      ...{ confirmations: 0, card: undefined, refunds: [] },
    }
    kept.set(orderId, one)
    return one
  }

  /** What was not confirmed in time goes back to the payer. */
  function get(orderId: string): Kept | undefined {
    const one = kept.get(orderId)
    if (one?.state === 'approved' && now() > (one.approvedAt ?? 0) + CONFIRM_MS) one.state = 'reversed'
    return one
  }

  function of(orderId: string): Kept {
    const one = get(orderId)
    if (!one) throw new Error(`There is no order ${orderId}.`)
    return one
  }

  /** A payer on the page. */
  function pay(orderId: string, pan: string): Kept {
    const card = cardOf(pan)
    const isGood = card.respCode === '00'
    return Object.assign(of(orderId), { card, state: isGood ? 'approved' : 'declined', ...(isGood && { approvedAt: now() }) })
  }

  /** The shop confirms, whatever came of it. */
  function confirm(one: Kept): Kept {
    if (one.state === 'approved') Object.assign(one, { state: 'deposited', deposited: one.amount })
    one.confirmations += 1
    return one
  }

  function refund(one: Kept, amount: number): Kept {
    one.refunds.push(amount)
    return Object.assign(one, { state: 'refunded', deposited: one.deposited - amount })
  }

  return { register, numbered, get, of, pay, confirm, refund, all: () => [...kept.keys()].map(of) }
}
