import { runRecorded } from '../../acceptance/bench.ts'
import { assertFits, check, requireMember } from '../../acceptance/checks.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import { payment as kind, type PaymentAdapter } from '../kind.ts'
import { type Checkout, CheckoutMade, type CheckoutStatus, GatewayEvent } from '../model.ts'
import type { Rig } from './rig.ts'
import type { SeenCheckout } from './seen.ts'

/** A checkout created in a case. */
export interface CreatedCheckout {
  readonly desk: Desk
  readonly asked: Checkout
  readonly made: CheckoutMade
}

/** Everything that a case uses: the recorded adapter, its rig, and connections. */
export interface Bench {
  readonly gateway: PaymentAdapter
  readonly rig: Rig
  open(options?: DeskOptions): Desk
  make(change?: Partial<Checkout>, desk?: Desk): Promise<CreatedCheckout>
  /** Creates a checkout and brings it to this status at the simulator. */
  makeSo(status: CheckoutStatus, amount?: number, desk?: Desk): Promise<CreatedCheckout>
}

/** Runs one case. */
export async function runCase(adapter: PaymentAdapter, rig: Rig, run: (bench: Bench) => Promise<void> | void): Promise<void> {
  const before = (await rig.seen?.(''))?.calls.length ?? 0
  const play = (gateway: PaymentAdapter, open: Bench['open']) => {
    const make: Bench['make'] = async (change, desk = open()) => {
      const asked = rig.checkout(change)
      const made = await gateway.createCheckout(desk.context, asked)
      assertFits(CheckoutMade, made, 'checkout')
      return { desk, asked, made }
    }
    const makeSo: Bench['makeSo'] = async (status, amount, desk) => {
      const one = await make({}, desk)
      await rig.become(one.desk, one.made.externalId, status, amount)
      return one
    }
    return run({ gateway, rig, open, make, makeSo })
  }
  await runRecorded(adapter, rig, kind.groups, play, async () => (await requireMember(rig.seen, 'seen')('')).calls.slice(before))
}

/** Returns the simulator's record of a payment's checkout. Throws if it has none or several. */
export async function findRecordedCheckout({ rig }: Pick<Bench, 'rig'>, paymentId: string): Promise<SeenCheckout> {
  const { checkouts } = await requireMember(rig.seen, 'seen')(paymentId)
  const [seen, ...others] = checkouts
  check(seen && others.length === 0, `the gateway has one checkout, instead of ${checkouts.length}`)
  return seen
}

/** Reads the state of a checkout from the gateway and validates it. */
export async function readCheckout({ gateway }: Pick<Bench, 'gateway'>, { desk, made }: CreatedCheckout): Promise<GatewayEvent> {
  const news = await gateway.read(desk.context, made.externalId)
  assertPaymentState(news)
  return news
}

/** Checks the shape of a checkout's state. */
export function assertPaymentState(news: GatewayEvent | undefined): asserts news is GatewayEvent {
  assertFits(GatewayEvent, news, 'state of the checkout')
  check(news?.externalId !== undefined || news?.paymentId !== undefined, 'the checkout is identified')
  if (news.at !== undefined) assertInstant(news.at)
}

/** Checks that a text is a time with a zone. */
export const assertInstant = (at: string) =>
  check(!Number.isNaN(Date.parse(at)) && /(Z|[+-]\d\d:\d\d)$/.test(at), `${at} is an instant with a zone`)
