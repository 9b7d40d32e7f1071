import { underWatch } from '../../acceptance/bench.ts'
import { check, fits, needed } from '../../acceptance/checks.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import { payment as kind, type PaymentAdapter } from '../kind.ts'
import { type Checkout, CheckoutMade, type CheckoutStatus, PaymentNews } from '../model.ts'
import type { Rig } from './rig.ts'
import type { SeenCheckout } from './seen.ts'

/** A checkout that was made well. */
export interface Made {
  readonly desk: Desk
  readonly asked: Checkout
  readonly made: CheckoutMade
}

/** What a case works with: the gateway under watch, its other side, and connections. */
export interface Bench {
  readonly gateway: PaymentAdapter
  readonly rig: Rig
  open(options?: DeskOptions): Desk
  make(change?: Partial<Checkout>, desk?: Desk): Promise<Made>
  /** One that the other side then made something of. */
  makeSo(status: CheckoutStatus, amount?: number, desk?: Desk): Promise<Made>
}

/** Runs one case. */
export async function bench(adapter: PaymentAdapter, rig: Rig, run: (bench: Bench) => Promise<void> | void): Promise<void> {
  const before = (await rig.seen?.(''))?.calls.length ?? 0
  const play = (gateway: PaymentAdapter, open: Bench['open']) => {
    const make: Bench['make'] = async (change, desk = open()) => {
      const asked = rig.checkout(change)
      const made = await gateway.createCheckout(desk.context, asked)
      fits(CheckoutMade, made, 'checkout')
      return { desk, asked, made }
    }
    const makeSo: Bench['makeSo'] = async (status, amount, desk) => {
      const one = await make({}, desk)
      await rig.become(one.desk, one.made.externalId, status, amount)
      return one
    }
    return run({ gateway, rig, open, make, makeSo })
  }
  await underWatch(adapter, rig, kind.groups, play, async () => (await needed(rig.seen, 'seen')('')).calls.slice(before))
}

/** What the other side has under a payment; fails where it has none, or several. */
export async function arrived({ rig }: Pick<Bench, 'rig'>, paymentId: string): Promise<SeenCheckout> {
  const { checkouts } = await needed(rig.seen, 'seen')(paymentId)
  const [seen, ...others] = checkouts
  check(seen && others.length === 0, `one checkout in the books of the other side, instead of ${checkouts.length}`)
  return seen
}

/** What the gateway says of a checkout, in its right shape. */
export async function readOne({ gateway }: Pick<Bench, 'gateway'>, { desk, made }: Made): Promise<PaymentNews> {
  const news = await gateway.read(desk.context, made.externalId)
  isNews(news)
  return news
}

export function isNews(news: PaymentNews | undefined): asserts news is PaymentNews {
  fits(PaymentNews, news, 'news')
  check(news?.externalId !== undefined || news?.paymentId !== undefined, 'the checkout is named')
  if (news.at !== undefined) isInstant(news.at)
}

export const isInstant = (at: string) =>
  check(!Number.isNaN(Date.parse(at)) && /(Z|[+-]\d\d:\d\d)$/.test(at), `${at} is an instant with a zone`)
