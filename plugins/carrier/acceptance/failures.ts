import { assertEqual, check, expectFailure, requireMember, skipCase } from '../../acceptance/checks.ts'
import { type AdapterContext, adapterErrorNames, type FailureReason, type FetchInit } from '../../adapter.ts'
import type { Carrier, CarrierError, Label } from '../contract.ts'
import type { Bench } from './bench.ts'
import type { Draft } from './draft.ts'
import { NO_CALLS, warmUp } from './faults.ts'

interface Failure {
  readonly name: string
  readonly reason: FailureReason
  answer(): Response
}

const RETRY_AFTER = 7
const failures: readonly Failure[] = [
  {
    name: 'what is read while the carrier takes no more calls is told as that, and asked for once',
    reason: 'rate_limited',
    answer: () => Response.json({ message: 'too many calls' }, { status: 429, headers: { 'retry-after': String(RETRY_AFTER) } }),
  },
  {
    name: 'what is read while the carrier is out of order is told as that, and asked for once',
    reason: 'unavailable',
    answer: () => Response.json({ message: 'out of order' }, { status: 503 }),
  },
  {
    name: 'what is read while nobody answers is told as that, and asked for once',
    reason: 'unavailable',
    answer: () => {
      throw new TypeError('fetch failed')
    },
  },
]

/** Every read fails in the same way whatever it reads: an error that becomes "there is nothing" loses parcels and money. */
export const failureCases = ({ net }: Carrier): Draft[] => [
  ...failures.map((failure) => ({
    name: failure.name,
    unless: net.length === 0 && NO_CALLS,
    run: (bench: Bench) => allFail(bench, failure),
  })),
  { name: 'a sending that finds nothing at its address is refused or unknown', unless: net.length === 0 && NO_CALLS, run: findsNoAddress },
]

/** There is nothing to be found where something is to be made: only a look-up can tell what became of it. */
async function findsNoAddress({ carrier, rig, open }: Bench): Promise<void> {
  const { context } = await warmUp(carrier, rig, open())
  const create = new RegExp(requireMember(rig.steps?.create, 'steps.create'))
  const fetch = async (url: string, init: FetchInit = {}) =>
    create.test(`${init.method ?? 'GET'} ${new URL(url).pathname}`)
      ? Response.json({ message: 'not found' }, { status: 404 })
      : context.fetch(url, init)
  await expectFailure(carrier.send({ ...context, fetch }, rig.shipment()), ['refused', 'unavailable'], 'send')
}

/** Reads that a carrier may have, by their names. */
function readsOf(carrier: Carrier, context: AdapterContext, trackingId: string, reference: string): Record<string, () => unknown> {
  const quote = { stateCode: '31', cityName: 'Oran', weightKg: 1 }
  const { cash } = carrier
  const reads: Record<string, (() => unknown) | undefined> = {
    track: carrier.track && (() => carrier.track?.(context, [trackingId])),
    list: carrier.list && (() => carrier.list?.(context, { limit: 10 })),
    findByReference: carrier.findByReference && (() => carrier.findByReference?.(context, reference)),
    labels: carrier.labels && (() => carrier.labels?.(context, [trackingId])),
    states: carrier.states && (() => carrier.states?.(context)),
    cities: carrier.cities && (() => carrier.cities?.(context, {})),
    centers: carrier.centers && (() => carrier.centers?.(context, {})),
    fees: carrier.fees && (() => carrier.fees?.(context, { stateCode: quote.stateCode })),
    rates: carrier.rates && (() => carrier.rates?.(context, quote)),
    serviceFees: carrier.serviceFees && (() => carrier.serviceFees?.(context)),
    stockProducts: carrier.stockProducts && (() => carrier.stockProducts?.(context)),
    'cash.preview': cash?.preview && (() => cash.preview?.(context)),
    'cash.batches': cash && (() => cash.batches(context)),
    'cash.batch': cash && (() => cash.batch(context, 'pmt-1')),
  }
  return Object.fromEntries(Object.entries(reads).filter((read): read is [string, () => unknown] => read[1] !== undefined))
}

async function allFail({ carrier, open, sent }: Bench, failure: Failure): Promise<void> {
  const one = await sent()
  let tested = 0
  for (const name of Object.keys(readsOf(carrier, one.desk.context, '', ''))) {
    const asked: string[] = []
    const fetch = async (url: string, init: FetchInit = {}) => {
      asked.push(`${init.method ?? 'GET'} ${url} ${String(init.body ?? '')}`)
      return failure.answer()
    }
    // Nothing is remembered of places and prices; of a parcel, what its sending noted.
    const { storage } = ['track', 'labels'].includes(name) ? one.desk.context : open().context
    const context = { ...one.desk.context, storage, fetch }
    const read = readsOf(carrier, context, one.sent.trackingId, one.shipment.reference)[name]
    const outcome = await Promise.resolve(read?.()).then(
      (value) => ({ value }),
      (error: unknown) => ({ error: error as CarrierError }),
    )
    // It knows this by itself.
    if (asked.length === 0) continue
    tested += 1
    isTold(name, outcome, failure)
    assertEqual([...new Set(asked)].length, asked.length, `calls of ${name} that differ, among ${asked.length}`)
  }
  if (tested === 0) skipCase('it reads nothing')
}

const isAddresses = (value: unknown) => (value as Label[]).every(({ base64, url }) => base64 === undefined && url !== undefined)

function isTold(name: string, outcome: { value: unknown } | { error: CarrierError }, { reason }: Failure): void {
  // An address that was told when the parcel was made may be given without asking.
  if ('value' in outcome && name === 'labels' && isAddresses(outcome.value)) return
  if ('value' in outcome) throw new Error(`${name} gives ${JSON.stringify(outcome.value)}, and nothing was answered`)
  const { error } = outcome
  check(adapterErrorNames.includes(error.name), `${name}: expected an AdapterError, got ${error.name}: ${error.message}`)
  assertEqual(error.reason, reason, `reason of ${name}`)
  if (reason === 'rate_limited')
    assertEqual(error.upstream.retryAfterSeconds, RETRY_AFTER, `seconds after which ${name} may be asked again`)
}
