import { describe, expect, test } from 'bun:test'
import { features } from '../../../core/features.ts'
import { gatherOperations, type OperationHandler } from '../../../core/integrations/operations/operation-registry.ts'
import { carrier } from '../../../plugins/carrier/kind.ts'
import { kinds } from '../../../plugins/kinds.ts'
import { payment } from '../../../plugins/payment/kind.ts'

const done = async () => 'done'
const all = (operations: object) => Object.fromEntries(Object.keys(operations).map((name) => [name, done]))
const webhooks = { payment: { handle: async () => ({}) } }

describe('operation registry', () => {
  test('registry: every operation of every kind is handled by exactly one feature', () => {
    const registry = gatherOperations(features, kinds)
    const featureOf = (kind: string, name: string) => registry.operation(kind, name).feature
    for (const { name, operations } of kinds)
      for (const operation of Object.keys(operations)) expect(featureOf(name, operation)).toMatch(/^[a-z-]+$/)
    expect([featureOf('carrier', 'enable'), featureOf('payment', 'enable'), featureOf('payment', 'initiate')]).toEqual([
      'connections',
      'connections',
      'payments',
    ])
    expect(['fees', 'scoring', 'sync', 'label', 'finance', 'send'].map((name) => featureOf('carrier', name))).toEqual([
      'carriers',
      'parcels',
      'tracking',
      'labels',
      'ledger',
      'sending',
    ])
  })

  test('registry: operations on money and on the connection itself also work while it is switched off', () => {
    const registry = gatherOperations(features, kinds)
    const working = Object.keys(carrier.operations).filter((name) => registry.operation('carrier', name).worksWhenDisabled)
    expect(working.toSorted()).toEqual([
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

  test('registry: the server does not start while an operation lacks a handler', () => {
    const { initiate: _, ...others } = all(payment.operations)
    expect(() => gatherOperations([{ name: 'half', operations: { payment: others }, webhooks }], [payment])).toThrow(
      'No feature handles the operation payment.initiate.',
    )
    expect(() => gatherOperations([{ name: 'deaf', operations: { payment: all(payment.operations) } }], [payment])).toThrow(
      'No feature handles the callbacks of the kind payment.',
    )
  })

  test('registry: two features cannot handle one operation', () => {
    const whole = { name: 'whole', operations: { payment: all(payment.operations) }, webhooks }
    expect(() => gatherOperations([whole], [payment])).not.toThrow()
    expect(() => gatherOperations([whole, { name: 'another', operations: { payment: { notified: done } } }], [payment])).toThrow(
      'payment.notified is handled twice, by whole and by another.',
    )
    expect(() => gatherOperations([whole, { name: 'another', webhooks }], [payment])).toThrow('payment is handled twice')
  })

  test('is given an adapter that has what the operation needs, and what its schemas say', () => {
    const validate: OperationHandler<'carrier', 'validate'> = async (_, { adapter, params }) => [
      adapter.validate.name,
      params.tracking.trim(),
    ]
    const fees: OperationHandler<'carrier', 'fees'> = async (_, { adapter, query }) => {
      // @ts-expect-error: it is asked for fees, and may not be able to cancel
      const { name } = adapter.cancel
      // @ts-expect-error: the query has no such thing
      return [name, query.tracking, query.stateCode, query.limit]
    }
    // @ts-expect-error: it is asked at a path of its own, of no store's connection
    const initiate: OperationHandler<'payment', 'initiate'> = async (_, { connection }) => connection
    expect([validate, fees, initiate].every((perform) => typeof perform === 'function')).toBe(true)
  })
})
