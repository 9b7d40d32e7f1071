import { expect, test } from 'bun:test'
import { findSchemaMismatch } from '../../../core/assistant/tasks/run/fits-schema.ts'
import { computedMs } from '../../support/clock.ts'

const point = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'], additionalProperties: false }

test.each<[schema: unknown, value: unknown, problem: string | undefined]>([
  [{}, 'anything', undefined],
  [{ type: ['string', 'null'] }, null, undefined],
  [{ type: 'integer' }, 1.5, '/: expected integer'],
  [{ type: 'object' }, [], '/: expected object'],
  [{ enum: ['a', { b: 1 }] }, { b: 1 }, undefined],
  [{ enum: ['a'] }, 'b', '/: none of the enum'],
  [{ const: 1 }, 2, '/: expected 1'],
  [point, { x: 1 }, undefined],
  [point, {}, '/x: it is missing'],
  [point, { x: 1, y: 2 }, '/y: nothing may stand here'],
  [point, { x: 1, 'a\0': 2 }, '/a\\u0000: nothing may stand here'],
  [{ ...point, additionalProperties: { type: 'string' } }, { x: 1, y: 2 }, '/y: expected string'],
  [{ type: 'array', items: point, maxItems: 2 }, [{ x: 1 }, { x: 'one' }], '/1/x: expected number'],
  [{ maxItems: 1 }, [1, 2], '/: maxItems is 1'],
  [{ minLength: 2 }, '😀', '/: minLength is 2'],
  [{ maxLength: 3 }, '😀\ud800a', undefined],
  [{ maxLength: 2 }, '😀\ud800a', '/: maxLength is 2'],
  [{ exclusiveMinimum: 0 }, 0, '/: exclusiveMinimum is 0'],
  [{ minimum: 0, maximum: 9 }, 9, undefined],
  [{ anyOf: [{ type: 'string' }, point] }, { x: 1 }, undefined],
  [{ anyOf: [{ type: 'string' }, point] }, 1, '/: none of anyOf'],
  [{ oneOf: [{ type: 'number' }, { minimum: 0 }] }, 1, '/: not exactly one of oneOf'],
  [{ allOf: [{ type: 'number' }, { minimum: 2 }] }, 1, '/: minimum is 2'],
  // A name that all objects have is no property of this one.
  [{ type: 'object', required: ['toString'] }, {}, '/toString: it is missing'],
])('%j holds %j: %p', (schema, value, problem) => {
  expect(findSchemaMismatch(schema, value)).toBe(problem)
})

test('a schema that would take for ever is given up', () => {
  const wide = { items: { anyOf: Array.from({ length: 2_000 }, () => ({ enum: Array.from({ length: 100 }, (_, at) => `${at}`) })) } }
  const took = computedMs(() => expect(findSchemaMismatch(wide, Array(10_000).fill('none'))).toBeDefined())
  expect(took).toBeLessThan(2_000)
})

test('schemas: a long text has no length limit that the schema does not state, and is counted fast', () => {
  const text = '😀'.repeat(500_000)
  const plain = computedMs(() => expect(findSchemaMismatch({ allOf: Array(40).fill({ type: 'string' }) }, text)).toBeUndefined())
  expect(plain).toBeLessThan(50)
  const counted = computedMs(() => expect(findSchemaMismatch({ maxLength: 499_999 }, text)).toBe('/: maxLength is 499999'))
  expect(counted).toBeLessThan(50)
})
