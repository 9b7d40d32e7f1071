import { afterAll, describe, expect, test } from 'bun:test'
import sandbox from '../../../adapters/carrier/sandbox/index.ts'
import companies from '../../../adapters/carrier/yalidine/index.ts'
import type { WebhookResult } from '../../../plugins/adapter.ts'
import { acceptance, type Rig } from '../../../plugins/carrier/acceptance.ts'
import { type Carrier, CarrierError, type StatusReport } from '../../../plugins/carrier/contract.ts'
import { rig as sandboxRig } from './sandbox/rig.ts'
import { rig as yalidineRig } from './yalidine/rig.ts'

const good = companies[0] as Carrier
const rig = yalidineRig(good)
afterAll(() => rig.simulator.stop())

type Awaitable = ReturnType<Carrier['send']>

const sure = { trackingId: 'yal-SURE' }
const calm = (work: () => Awaitable) => Promise.resolve(work()).catch(() => sure)

// Each is the good carrier with one fault, and the case that must catch it.
const defects: readonly (readonly [what: string, caught: string, defect: Partial<Carrier>])[] = [
  ['a host with a hole', 'the definition is sane', { net: ['api.*.yalidine.app'] }],
  ['an upper-case slug', 'the definition is sane', { slug: 'Yalidine' }],
  ['a secret setting', 'the fields can be shown in a form', { settings: { key: { label: 'Key', secret: true } } }],
  ['a made-up status', 'raw statuses have known meanings', { statuses: { ...good.statuses, Parti: 'gone' as 'lost' } }],
  ['two meanings of one spelling', 'raw statuses have known meanings', { statuses: { ...good.statuses, LIVRE: 'lost' } }],
  ['no word for delivered', 'a parcel can be followed to its end', { statuses: { Ramassé: 'picked_up' } }],
  ['no look-up', 'it has what its exactly-once class needs', { findByReference: undefined as never }],
  ['a connection test that looks nowhere', 'the connection test fails with bad credentials', { testConnection: () => ({}) }],
  [
    'a secret in a message',
    'the connection test fails with bad credentials',
    {
      testConnection: ({ credentials }) => {
        throw new CarrierError('unauthorized', `The token ${credentials.apiToken} is wrong.`)
      },
    },
  ],
  [
    'a secret in the log',
    'a parcel is sent',
    {
      send: (context, shipment) => {
        context.log('sending', { headers: context.credentials })
        return good.send(context, shipment)
      },
    },
  ],
  [
    'a call to somebody else',
    'a parcel is sent',
    {
      send: async (context, shipment) => {
        await context.fetch('https://metrics.example/').catch(() => {})
        return good.send(context, shipment)
      },
    },
  ],
  [
    'a retry after a lost answer',
    'exactly one parcel exists after: lost answer',
    {
      send: (context, shipment) => Promise.resolve(good.send(context, shipment)).catch(() => good.send(context, shipment)),
    },
  ],
  [
    'a retry, although it ends in an error',
    'exactly one parcel exists after: error after',
    {
      send: async (context, shipment) => {
        await Promise.resolve(good.send(context, shipment)).catch(() => good.send(context, shipment))
        throw new CarrierError('unavailable', 'No answer.')
      },
    },
  ],
  [
    'an error taken for a success',
    'exactly one parcel exists after: malformed',
    { send: (context, shipment) => calm(() => good.send(context, shipment)) },
  ],
  [
    'a fault called a refusal',
    'exactly one parcel exists after: no answer',
    {
      send: async (context, shipment) => {
        try {
          return await good.send(context, shipment)
        } catch {
          throw new CarrierError('refused', 'It did not work.')
        }
      },
    },
  ],
  ['a look-up that finds nothing', 'exactly one parcel exists after: lost answer', { findByReference: () => null }],
  ['a look-up that finds anything', 'a reference that was never sent is not found', { findByReference: () => sure }],
  [
    'a price in centimes',
    'a parcel is sent',
    { send: (context, shipment) => good.send(context, { ...shipment, codAmount: shipment.codAmount * 10 }) },
  ],
  [
    'a rounded price',
    'an amount with a fraction arrives unchanged or is refused',
    { send: (context, shipment) => good.send(context, { ...shipment, codAmount: Math.round(shipment.codAmount) }) },
  ],
  ['a cancellation that did not cancel', 'a parcel can be cancelled until it is on its way', { cancel: () => {} }],
  [
    'a list of the first page',
    'each parcel is listed exactly once',
    { list: async (context, query) => ({ ...(await good.list!(context, query)), nextCursor: null }) },
  ],
  [
    'a signature that is always right',
    'a forged callback is rejected',
    { webhook: { ...good.webhook!, receive: async () => ({ outcome: 'events', signed: true, events: [] }) } },
  ],
  [
    'callbacks without times of their own',
    'callbacks out of order keep their own times',
    { webhook: { ...good.webhook!, receive: stamped } },
  ],
  [
    'an error taken for an empty answer',
    'an unreadable response is not taken as an empty one: malformed',
    { track: (context, ids) => Promise.resolve(good.track!(context, ids)).catch(() => []) },
  ],
  [
    'an unknown city moved to a known one',
    'a parcel to an unknown city is refused or sent there, never elsewhere',
    {
      send: (context, shipment) => good.send(context, { ...shipment, destination: { ...shipment.destination, cityName: 'Oran' } }),
    },
  ],
]

/** Sends everything at a tenth of its weight. */
const light: Partial<Carrier> = { send: (context, shipment) => good.send(context, { ...shipment, weightKg: shipment.weightKg / 10 }) }

async function stamped(...given: Parameters<NonNullable<Carrier['webhook']>['receive']>): Promise<WebhookResult<StatusReport>> {
  const result = await good.webhook!.receive(...given)
  if (result.outcome !== 'events') return result
  return { ...result, events: result.events.map((report) => ({ ...report, at: '2026-02-02T02:02:02.000Z' })) }
}

const caseOf = (carrier: Carrier, rig: Rig, name: string) => {
  const found = acceptance(carrier, rig).find((one) => one.name === name)
  if (!found) throw new Error(`There is no case "${name}".`)
  return found
}

describe('the suite catches', () => {
  for (const [what, caught, defect] of defects) {
    test(what, async () => {
      await expect(caseOf({ ...good, ...defect }, rig, caught).run()).rejects.toThrow()
      await caseOf(good, rig, caught).run()
    })
  }

  test('an idempotent carrier that is not', async () => {
    const honest = sandbox as Carrier
    let count = 0
    const careless: Carrier = {
      ...honest,
      send: (context, shipment) => honest.send(context, { ...shipment, reference: `${shipment.reference}-${++count}` }),
    }
    await expect(caseOf(careless, sandboxRig(careless), 'one reference sent concurrently is one parcel').run()).rejects.toThrow()
  })
})

describe('a rig that leaves something out fails', () => {
  const whole = [
    'seen',
    'limits',
    'steps',
    'faults',
    'refusable',
    'badCredentials',
    'garbleReads',
    'callback',
    'signed',
    'challenge',
    'pay',
    'prices',
  ]
  for (const name of whole)
    test(name, async () => {
      const lacking = { ...rig, [name]: undefined } as unknown as Rig
      await expect(caseOf(good, lacking, 'the rig has everything that the carrier needs').run()).rejects.toThrow(name)
      const skippedOf = (one: Rig) => acceptance(good, one).filter(({ skip }) => skip !== undefined).length
      expect(skippedOf(lacking)).toBeLessThanOrEqual(skippedOf(rig))
    })

  test('one fault of many', async () => {
    const { lost_answer: _, ...faults } = rig.faults
    await expect(caseOf(good, { ...rig, faults }, 'exactly one parcel exists after: lost answer').run()).rejects.toThrow(
      'faults.lost_answer',
    )
  })

  test('one that forgets a step of a sending', async () => {
    const steps = { create: '^POST /v1/nothing' }
    await expect(caseOf(good, { ...rig, steps }, 'the rig names every call of a sending').run()).rejects.toThrow('POST /v1/parcels')
  })

  test('one that says what it lacks, and has it', async () => {
    const lacks = { weightGrams: 'nothing is weighed' }
    await expect(caseOf({ ...good, ...light }, { ...rig, lacks }, 'it arrives as asked in another city').run()).rejects.toThrow('weight')
  })

  test('the definition says what there is not', async () => {
    const { webhook: _, ...deaf } = good
    const lacking = { ...rig, callback: undefined, signed: undefined, challenge: undefined } as unknown as Rig
    await caseOf(deaf as Carrier, lacking, 'the rig has everything that the carrier needs').run()
  })
})

test('a case that does not concern a carrier says why', () => {
  const skipped = acceptance(sandbox as Carrier, sandboxRig(sandbox as Carrier)).filter(({ skip }) => skip !== undefined)
  expect(skipped.map(({ name }) => name)).toContain('a challenge is answered')
  expect(skipped.every(({ skip }) => skip!.length > 5)).toBe(true)
})
