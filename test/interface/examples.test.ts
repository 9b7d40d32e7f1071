import { describe, expect, test } from 'bun:test'
import { connectors } from '../../core/reference/examples/connectors.ts'
import { identity } from '../../core/reference/examples/identity.ts'
import { money } from '../../core/reference/examples/money.ts'
import { orders } from '../../core/reference/examples/orders.ts'
import { shop } from '../../core/reference/examples/shop.ts'
import { tools } from '../../core/reference/examples/tools.ts'
import { startApp } from '../support/app.ts'
import { readDocument } from '../support/openapi.ts'
import { bodyExamples, fillersIn, problemsOf } from './examples.ts'

const app = await startApp()
const document = await readDocument(app)
const examples = bodyExamples(document)

test('every example of a body is valid by its schema', () => {
  expect(examples.length).toBeGreaterThan(200)
  const found = examples.flatMap(({ method, path, schema, example }) =>
    problemsOf(schema, example).map((problem) => `${method} ${path} ${problem}`),
  )
  expect(found).toEqual([])
})

test('no example of a body is empty or has a text that says nothing', () => {
  const found = examples.flatMap(({ method, path, example }) => {
    const isEmpty = Object.keys(example as object).length === 0
    return [...(isEmpty ? [`${method} ${path}: empty`] : []), ...fillersIn(example).map((filler) => `${method} ${path} ${filler}`)]
  })
  expect(found).toEqual([])
})

test('every written example is of a schema or an operation of the document', () => {
  const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
  const places = new Set([...ids, ...Object.keys(document.components.schemas)])
  const written = Object.keys({ ...connectors, ...identity, ...money, ...orders, ...shop, ...tools })
  expect(written.filter((place) => !places.has(place))).toEqual([])
})

test('times of an example are in order', () => {
  const inOrder = (value: unknown): boolean => {
    if (value === null || typeof value !== 'object') return true
    const { from, to, startsAt, endsAt } = value as Record<string, string | undefined>
    const pairs = [
      [from, to],
      [startsAt, endsAt],
    ]
    return pairs.every(([first, last]) => !first || !last || first < last) && Object.values(value).every(inOrder)
  }
  expect(examples.filter(({ example }) => !inOrder(example)).map(({ path }) => path)).toEqual([])
})

describe('the check of examples', () => {
  const schema = { type: 'object', additionalProperties: false, required: ['name'], properties: { name: { type: 'string', minLength: 2 } } }
  const cases: [string, unknown, string[]][] = [
    ['accepts a valid value', { name: 'Cap' }, []],
    ['finds a missing field', {}, ['/name: is missing']],
    ['finds an unknown field', { name: 'Cap', size: 1 }, ['/size: is unknown']],
    ['finds a text that is too short', { name: 'C' }, ['/name: has 1 characters']],
    ['finds a value of another type', { name: 7 }, ['/name: is no string']],
  ]
  test.each(cases)('%s', (_, value, problems) => {
    expect(problemsOf(schema, value)).toEqual(problems)
  })
  test('finds a filler', () => {
    expect(fillersIn({ name: 'text', items: [{ note: 'string' }] })).toEqual(['/name: text', '/items/0/note: string'])
  })
})
