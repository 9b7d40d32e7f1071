import {
  AdapterError,
  type PayoutLinePage,
  type PayoutLinesAsked,
  type PayoutPage,
  type PayoutsAsked,
  type ToldPayout,
  type ToldPayoutLine,
} from 'serai/payment'
import type { Sandbox } from './fields.ts'
import { allCheckouts, type Kept } from './store.ts'

/** Payouts: all payments and refunds in a period form one. They are computed from the checkouts. */
export const payouts = { list, lines }

const MINUTE_MS = 60_000
const PAGE = 100
const NAME = /^sbp_(\d{1,12})_(\d{1,15})_([A-Z]{3})$/

/** Payment or refund with its time. */
interface Move {
  readonly at: number
  readonly line: ToldPayoutLine
}

async function list(context: Sandbox, { since, cursor }: PayoutsAsked): Promise<PayoutPage> {
  const made = new Map<string, ToldPayout>()
  const span = spanOf(context)
  for await (const { at, line } of moves(context)) {
    const place = Math.floor(at / span)
    const madeAt = madeAfter(span, place)
    // Excludes periods that are still open to late entries.
    if (madeAt > context.now() || madeAt < Date.parse(since)) continue
    const externalId = `sbp_${span}_${place}_${line.currency}`
    const amount = (made.get(externalId)?.amount ?? 0) + line.net
    const time = new Date(madeAt).toISOString()
    made.set(externalId, { externalId, status: 'paid', amount, currency: line.currency, madeAt: time, arrivesAt: time, lines: 'ready' })
  }
  const { page, next } = pageOf([...made.values()], cursor)
  return { payouts: page, cursor: next }
}

async function lines(context: Sandbox, { externalId, cursor }: PayoutLinesAsked): Promise<PayoutLinePage> {
  const [, span, place, currency] = NAME.exec(externalId) ?? []
  const found: ToldPayoutLine[] = []
  if (span !== undefined && madeAfter(Number(span), Number(place)) <= context.now())
    for await (const { at, line } of moves(context))
      if (line.currency === currency && Math.floor(at / Number(span)) === Number(place)) found.push(line)
  if (found.length === 0) throw new AdapterError('not_found', `The sandbox has no payout ${externalId}.`)
  const { page, next } = pageOf(found, cursor)
  return { lines: page, cursor: next }
}

const spanOf = ({ settings }: Sandbox) => Math.max(0, Math.round(settings.payoutMinutes * MINUTE_MS))
const madeAfter = (span: number, place: number) => (place + 2) * span

function pageOf<R extends { readonly externalId: string }>(rows: readonly R[], cursor: string | null): { page: R[]; next: string | null } {
  const left = rows
    .filter(({ externalId }) => cursor === null || externalId > cursor)
    .toSorted((a, b) => (a.externalId < b.externalId ? -1 : 1))
  const page = left.slice(0, PAGE)
  return { page, next: left.length > PAGE ? (page.at(-1)?.externalId ?? null) : null }
}

async function* moves(context: Sandbox): AsyncIterable<Move> {
  if (spanOf(context) === 0) return
  for await (const one of allCheckouts(context)) if (one.status === 'paid') yield* movesOf(one)
}

function* movesOf({ externalId: checkoutId, paymentId, currency, amount, paid = amount, fee, at, refunds }: Kept): Iterable<Move> {
  const of = { currency, checkoutId, paymentId }
  yield { at: Date.parse(at), line: { ...of, externalId: `sbl_${checkoutId}`, kind: 'payment', gross: paid, fee, net: paid - fee, at } }
  for (const { externalId, refundId, amount, at: givenAt = at } of refunds) {
    const named = { refundExternalId: externalId, refundId, externalId: `sbl_${externalId}`, at: givenAt }
    yield { at: Date.parse(givenAt), line: { ...of, ...named, kind: 'refund', gross: -amount, fee: 0, net: -amount } }
  }
}
