import { describe, expect, test } from 'bun:test'
import { errorStatuses } from '../../core/http/errors/statuses.ts'
import { startApp } from '../support/app.ts'
import { readDocument } from '../support/openapi.ts'
import { meaningsIn, problemOfMeaning } from './meanings.ts'

const document = await readDocument(await startApp())
const meanings = meaningsIn(document)

test('every meaning of a value and of an error code says more than the value, in a sentence of at most 25 words', () => {
  const found = meanings.flatMap((one) => {
    const problem = problemOfMeaning(one)
    return problem === undefined ? [] : [`${one.value}: ${one.meaning} (${problem}; ${one.path})`]
  })
  expect([...new Set(found)]).toEqual([])
})

test('every error code of the envelope has a meaning', () => {
  const ofEnvelope = meanings.filter(({ path }) => path === '/components/schemas/Error/properties/error/properties/code')
  expect(ofEnvelope.map(({ value }) => value).toSorted()).toEqual(Object.keys(errorStatuses).toSorted())
})

test('a value that means different things has the meaning of its place', () => {
  const meaningAt = (schema: string, property: string, value: string) =>
    meanings.find((one) => one.path === `/components/schemas/${schema}/properties/${property}` && one.value === value)?.meaning
  expect(meaningAt('RefundOutcome', 'status', 'failed')).toContain('no money moved')
  expect(meaningAt('PaymentDecision', 'status', 'failed')).toContain('no money arrived')
  expect(meaningAt('Order', 'status', 'cancelled')).not.toBe(meaningAt('Parcel', 'status', 'cancelled'))
})

describe('the measure of meanings', () => {
  const of = (value: string, meaning: string, others: string[] = []) => problemOfMeaning({ path: '', value, meaning, others })
  const cases: [string, string, string, string][] = [
    ['finds a repeated value', 'invalid_state', 'The state is invalid.', 'it only repeats its value'],
    ['finds a fragment', 'pending', 'nobody called the customer yet', 'it is no whole sentence'],
    ['finds a long one', 'pending', `${'Call the customer now please or '.repeat(5)}wait.`, 'it has more than 25 words'],
    ['accepts a sentence', 'pending', 'Nobody called the customer yet.', 'nothing'],
  ]
  test.each(cases)('%s', (_, value, meaning, problem) => {
    expect(of(value, meaning) ?? 'nothing').toBe(problem)
  })
  test('finds the same sentence at two values', () => {
    expect(of('a', 'Nobody called the customer yet.', ['Nobody called the customer yet.'])).toBe('another value has the same')
  })
})
