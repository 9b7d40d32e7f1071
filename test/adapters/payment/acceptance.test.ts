import { afterAll, describe, expect, test } from 'bun:test'
import chargily from '../../../adapters/payment/chargily/index.ts'
import sandbox from '../../../adapters/payment/sandbox-payment/index.ts'
import { accept } from '../../../plugins/acceptance/accept.ts'
import { assertCurrentTimes } from '../../../plugins/acceptance/calls.ts'
import { skipCase } from '../../../plugins/acceptance/checks.ts'
import { acceptance, type Rig } from '../../../plugins/payment/acceptance.ts'
import type { PaymentAdapter } from '../../../plugins/payment/index.ts'
import template from '../../../plugins/payment/template/index.ts'
import { rig as templateRig } from '../../../plugins/payment/template/rig.ts'
import { rig as chargilyRig } from './chargily/rig.ts'
import { callbacks } from './defects/callbacks.ts'
import { arrives } from './defects/defect.ts'
import { doubtful } from './defects/doubtful.ts'
import { making } from './defects/making.ts'
import { outcomes } from './defects/outcomes.ts'
import { wire } from './defects/wire.ts'
import { rig as sandboxRig } from './sandbox-payment/rig.ts'

const rigs = new Map<PaymentAdapter, Rig>([
  [chargily, chargilyRig(chargily)],
  [sandbox, sandboxRig(sandbox)],
  [template, templateRig(template)],
])
const rigFor = (gateway: PaymentAdapter): Rig => rigs.get(gateway)!
afterAll(() => Promise.all([...rigs.values()].map((rig) => rig.close?.())))

const caseOf = (gateway: PaymentAdapter, rig: Rig, name: string) => {
  const found = acceptance(gateway, rig).find((one) => one.name === name)
  if (!found || found.skip) throw new Error(`There is no case "${name}" to run.`)
  return found
}

describe('the suite catches', () => {
  for (const { of, what, caught, by } of [...making, ...outcomes, ...callbacks, ...wire, ...doubtful])
    test(what, async () => {
      const rig = of === sandbox ? sandboxRig({ ...of, ...by(of) }) : rigFor(of)
      await expect(caseOf({ ...of, ...by(of) }, rig, caught).run()).rejects.toThrow()
      await caseOf(of, rigFor(of), caught).run()
    })
})

describe('a rig that leaves something out fails', () => {
  const whole = 'the rig has everything that the gateway needs'
  const lacking = (gateway: PaymentAdapter, name: string) => ({ ...rigFor(gateway), [name]: undefined }) as unknown as Rig
  const parts = [
    'seen',
    'become',
    'limits',
    'badCredentials',
    'fail',
    'refusable',
    'callback',
    'proof',
    'tells',
    'signed',
    'statusAt',
    'takeBack',
    'delayRefunds',
    'moveRefund',
  ]
  for (const name of parts)
    test(name, async () => {
      await expect(caseOf(template, lacking(template, name), whole).run()).rejects.toThrow(name)
    })
  for (const name of ['holding', 'challenge'])
    test(name, async () => {
      await expect(caseOf(sandbox, lacking(sandbox, name), whole).run()).rejects.toThrow(name)
    })

  test('the calls of one member', async () => {
    const { read: _, ...calls } = rigFor(template).calls ?? {}
    await expect(caseOf(template, { ...rigFor(template), calls }, whole).run()).rejects.toThrow('calls.read')
  })

  test('one that says what it lacks, and has it', async () => {
    const rig = { ...rigFor(template), lacks: { reference: 'it shows none' } }
    await expect(caseOf(template, rig, arrives).run()).rejects.toThrow('reference')
  })

  test('the definition says what there is not', async () => {
    const { webhook: _, ...deaf } = template
    await caseOf(deaf, { ...rigFor(template), callback: undefined, proof: undefined } as unknown as Rig, whole).run()
  })
})

describe('times in calls', () => {
  const call = (query: string, headers: Record<string, string> = {}) => ({
    at: Date.now(),
    method: 'GET',
    path: '/v1/list',
    query,
    headers,
    body: '',
  })
  const longAgo = '1600000000'

  test('a parameter that filters a list by time is no clock', () => {
    for (const name of [
      'updated_from',
      'updated_since',
      'date_min',
      'created_at_max',
      'since_date',
      'created[gte]',
      'start_time',
      'endDate',
    ])
      assertCurrentTimes([call(`${encodeURIComponent(name)}=${longAgo}`)], [0])
    assertCurrentTimes([call('', { 'if-modified-since': '2020-01-01T00:00:00Z' })], [0])
  })

  test('a parameter or header that says when the call is made is one', () => {
    for (const name of ['timestamp', 'ts', 'x-date', 'request_time']) {
      expect(() => assertCurrentTimes([call(`${name}=${longAgo}`)], [0])).toThrow('states the time')
      expect(() => assertCurrentTimes([call('', { [name]: longAgo })], [0])).toThrow('states the time')
    }
  })

  test('a rig says which names are clocks, and no others are', () => {
    assertCurrentTimes([call(`timestamp=${longAgo}`)], [0], { clocks: ['x-now'] })
    expect(() => assertCurrentTimes([call(`from=${longAgo}`)], [0], { clocks: ['from'] })).toThrow('states the time')
  })
})

test('a case that finds nothing to test is skipped with its reason, and never passes', async () => {
  const none = [{ name: 'nothing', run: async () => skipCase('there is nothing') }]
  const { results } = await accept(
    () => none,
    template,
    () => ({ open: () => undefined }),
  )
  expect(results).toEqual([{ name: 'nothing', outcome: 'skipped', why: 'there is nothing' }])
})

test('a case that does not concern a gateway says why', () => {
  const skipped = acceptance(chargily, rigFor(chargily)).flatMap(({ name, skip }) => (skip === undefined ? [] : [[name, skip]]))
  expect(Object.fromEntries(skipped)).toMatchObject({
    'a full refund returns the amount paid': 'its refunds are only possible in its dashboard',
    'an authorized payment is captured once': 'payments are captured immediately',
    'a challenge is answered': 'it sends no challenge',
  })
})
