import { describe, expect, test } from 'bun:test'
import { features } from '../../core/features.ts'
import { gatherServing, type Perform } from '../../core/integrations/operations/operation-registry.ts'
import { carrier } from '../../plugins/carrier/kind.ts'
import { kinds } from '../../plugins/kinds.ts'
import { payment } from '../../plugins/payment/kind.ts'

const done = async () => 'done'
const all = (operations: object) => Object.fromEntries(Object.keys(operations).map((name) => [name, done]))
const hears = { payment: async () => ({ status: 200, contentType: 'text/plain', body: '' }) }

describe('what features perform', () => {
  test('is all that is asked of the adapters of any kind, each by one of them', () => {
    const serving = gatherServing(features, kinds)
    const by = (kind: string, name: string) => serving.operation(kind, name).by
    for (const { name, operations } of kinds)
      for (const operation of Object.keys(operations)) expect(by(name, operation)).toMatch(/^[a-z]+$/)
    expect([by('carrier', 'enable'), by('payment', 'enable'), by('payment', 'initiate')]).toEqual([
      'connections',
      'connections',
      'payments',
    ])
    expect(['fees', 'scoring', 'sync', 'label', 'finance', 'send'].map((name) => by('carrier', name))).toEqual([
      'carriers',
      'parcels',
      'news',
      'labels',
      'cash',
      'sending',
    ])
  })

  test('is asked of connections that are switched off where money and the connection itself are meant', () => {
    const serving = gatherServing(features, kinds)
    const evenOff = Object.keys(carrier.operations).filter((name) => serving.operation('carrier', name).evenOff)
    expect(evenOff.toSorted()).toEqual([
      'cashBatch',
      'cashBatches',
      'cashConfirm',
      'cashPreview',
      'cashReverse',
      'enable',
      'finance',
      'statistics',
      'syncCash',
      'syncStatus',
      'testConnection',
      'webhookUrl',
    ])
  })

  test('may lack nothing, or the server does not start', () => {
    const { initiate: _, ...others } = all(payment.operations)
    expect(() => gatherServing([{ name: 'half', serves: { payment: others }, hears }], [payment])).toThrow(
      'No feature performs payment.initiate.',
    )
    expect(() => gatherServing([{ name: 'deaf', serves: { payment: all(payment.operations) } }], [payment])).toThrow(
      'No feature hears the callbacks of the kind payment.',
    )
  })

  test('is performed by one of them alone', () => {
    const whole = { name: 'whole', serves: { payment: all(payment.operations) }, hears }
    expect(() => gatherServing([whole], [payment])).not.toThrow()
    expect(() => gatherServing([whole, { name: 'another', serves: { payment: { notified: done } } }], [payment])).toThrow(
      'payment.notified is performed twice, by whole and by another.',
    )
    expect(() => gatherServing([whole, { name: 'another', hears }], [payment])).toThrow('payment is performed twice')
  })

  test('is given an adapter that has what the operation needs, and what its schemas say', () => {
    const validate: Perform<'carrier', 'validate'> = async (_, { adapter, params }) => [adapter.validate.name, params.tracking.trim()]
    const fees: Perform<'carrier', 'fees'> = async (_, { adapter, query }) => {
      // @ts-expect-error: it is asked for fees, and may not be able to cancel
      const { name } = adapter.cancel
      // @ts-expect-error: the query has no such thing
      return [name, query.tracking, query.stateCode, query.limit]
    }
    // @ts-expect-error: it is asked at a path of its own, of no store's connection
    const initiate: Perform<'payment', 'initiate'> = async (_, { connection }) => connection
    expect([validate, fees, initiate].every((perform) => typeof perform === 'function')).toBe(true)
  })
})
