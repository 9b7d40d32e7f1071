import {
  type ChallengeAnswer,
  type GatewayEvent,
  type InboundRequest,
  isRow,
  isSameSecret,
  jsonIn,
  number,
  text,
  type WebhookResult,
} from 'serai/payment'
import { eventOf, paidBy } from './checkouts.ts'
import type { Sandbox } from './fields.ts'
import { pageOf } from './page.ts'
import { change, type Kept, readCheckout } from './store.ts'

/** Webhook and payer's page: the page's buttons post to its own address. */
export const webhook = { challenges: true, receive } as const

/**
 * Shows the page. A form submission of a browser without JavaScript is applied here; the server reads the result when the payer returns.
 */
async function challenge(request: InboundRequest, context: Sandbox): Promise<ChallengeAnswer | null> {
  const form = formIn(request)
  if (request.method !== 'GET' && !form) return null
  const query = new URL(request.url, 'https://here.invalid').searchParams
  const one = await readCheckout(context, query.get('checkout') ?? '')
  if (!one || !isSameSecret(one.pageKey, query.get('page'))) return null
  const accepted = request.headers['accept-language']
  if (!form) return pageOf(one, accepted)
  if (!isSameSecret(one.proof, form.get('proof'))) return null
  const said = { one, choice: choices.find((choice) => choice === form.get('choice')), amount: undefined }
  const moved = said.choice && (await change(context, one.externalId, (now) => (now.status === 'open' ? moveTo(context, now, said) : now)))
  return pageOf(moved ?? one, accepted)
}

const FORM = 'application/x-www-form-urlencoded'

const formIn = ({ method, headers, body }: InboundRequest): URLSearchParams | null =>
  method === 'POST' && (headers['content-type'] ?? '').startsWith(FORM) ? new URLSearchParams(new TextDecoder().decode(body)) : null

const choices = ['pay', 'decline', 'cancel'] as const

interface Choice {
  readonly one: Kept
  readonly choice: (typeof choices)[number] | undefined
  /** Simulated amount other than the requested one. Programs can send it; the page cannot. */
  readonly amount: number | undefined
}

async function receive(request: InboundRequest, context: Sandbox): Promise<WebhookResult<GatewayEvent>> {
  const answer = await challenge(request, context)
  if (answer) return { outcome: 'challenge', answer }
  const said = await choiceIn(request, context)
  return said ? { outcome: 'events', signed: true, events: await apply(said, context) } : { outcome: 'invalid' }
}

/** Returns the choice, if the body holds the page's secret. */
async function choiceIn({ method, body }: InboundRequest, context: Sandbox): Promise<Choice | undefined> {
  const row = method === 'POST' ? jsonIn(new TextDecoder().decode(body)) : undefined
  if (!isRow(row)) return undefined
  const one = await readCheckout(context, text(row.checkout) ?? '')
  if (!one || !isSameSecret(one.proof, text(row.proof))) return undefined
  return { one, choice: choices.find((choice) => choice === row.choice), amount: number(row.amount) }
}

/** Applies the payer's first choice and returns the event. */
async function apply(said: Choice, context: Sandbox): Promise<GatewayEvent[]> {
  const moved =
    said.choice && (await change(context, said.one.externalId, (one) => (one.status === 'open' ? moveTo(context, one, said) : one)))
  if (moved) return [eventOf(moved)]
  context.log('left out what is no choice of a payer')
  return []
}

function moveTo(context: Sandbox, one: Kept, { choice, amount = one.amount }: Choice): Kept {
  if (choice === 'pay')
    return Number.isSafeInteger(amount) && amount > 0 ? paidBy(context, one, amount, { holds: context.settings.holds }) : one
  return { ...one, status: choice === 'decline' ? 'failed' : 'cancelled', at: new Date(context.now()).toISOString() }
}
