import { describe, expect, test } from 'bun:test'
import { pointerInRequest } from '../../../core/http/errors/pointers.ts'
import { errorStatuses } from '../../../core/http/errors/statuses.ts'
import { errorCodes, isFaultCode } from '../../../core/lib/errors/codes.ts'
import { describeError } from '../../../core/lib/errors/describe-error.ts'
import { DomainError, invalidField, notFound, withFields } from '../../../core/lib/errors/domain-error.ts'
import { parsePointer, writePointer } from '../../../core/lib/errors/json-pointer.ts'

describe('an error in words', () => {
  test('names the field and its rule', () => {
    expect(describeError(invalidField(['price'], 'At most 2 decimals.'))).toBe('price: at most 2 decimals.')
    expect(describeError(invalidField(['items', 2, 'quantity'], 'Must be positive.'))).toBe('items[2].quantity: must be positive.')
    expect(describeError(invalidField([], 'Send either text or retryOf.'))).toBe('Send either text or retryOf.')
  })
  test('joins the rules of several fields', () => {
    const issues = [
      { field: ['price'], message: 'At most 2 decimals.' },
      { field: ['cost'], message: 'Yalidine cannot change it.' },
    ]
    const error = new DomainError('invalid_request', 'The request does not match its schema; see details.', { issues })
    expect(describeError(error)).toBe('The request does not match its schema: price: at most 2 decimals; cost: Yalidine cannot change it.')
  })
  test('keeps a message that says more than its fields', () => {
    const issues = [{ field: ['items', 0, 'quantity'], message: 'Shirt: 2 can be returned.' }]
    const message = 'The quantity exceeds what was delivered.'
    expect(describeError(new DomainError('return_too_large', message, { issues }))).toBe(
      'The quantity exceeds what was delivered. items[0].quantity: Shirt: 2 can be returned.',
    )
    expect(describeError(notFound('The order'))).toBe('The order was not found.')
  })
  test('hides the text of an unexpected error', () => {
    expect(describeError(new Error('select * from secrets'))).toBe('Something went wrong on our side. Try again.')
  })
})

test('a field of a part of the input is placed where that part is', async () => {
  const outside = { field: ['upstream'], message: '7: closed', isOutside: true } as const
  const failing = withFields(
    (field) => ['orders', 3, ...field],
    () => {
      throw new DomainError('carrier_refused', 'No.', { issues: [{ field: ['city'], message: 'Unknown.' }, outside] })
    },
  )
  const { issues } = await failing.catch((error) => error)
  expect(issues).toEqual([{ field: ['orders', 3, 'city'], message: 'Unknown.' }, outside])
})

describe('a field as JSON pointer', () => {
  const query = { type: 'object', properties: { storeId: {}, cursor: {} } }
  const body = { anyOf: [{ type: 'object', properties: { items: {} } }, { type: 'null' }] }
  test.each([
    ['the body names it', ['items', 0, 'price'], { method: 'POST', body, query }, '/body/items/0/price'],
    ['the query names it', ['storeId'], { method: 'POST', body, query }, '/query/storeId'],
    ['the path names it', ['slug'], { method: 'GET', params: { properties: { slug: {} } } }, '/params/slug'],
    ['nothing names it and a body may come', ['surplus'], { method: 'PATCH', query }, '/body/surplus'],
    ['nothing names it and no body may come', ['surplus'], { method: 'DELETE', query }, '/query/surplus'],
    ['it is the whole input', [], { method: 'POST', body }, '/body'],
  ] as const)('is in the right place when %s', (_, field, inputs, pointer) => {
    expect(pointerInRequest(field, inputs)).toBe(pointer)
  })
  test('escapes slashes and tildes as RFC 6901 says, both ways', () => {
    const field = ['files', 'references/a~b.md', 2]
    expect(writePointer('/body', field)).toBe('/body/files/references~1a~0b.md/2')
    expect(parsePointer(writePointer('', field))).toEqual(field)
  })
})

test('a fault of ours or of a platform has a status from 500, a refusal one below', () => {
  expect(errorCodes.filter((code) => isFaultCode(code) !== errorStatuses[code] >= 500)).toEqual([])
})
