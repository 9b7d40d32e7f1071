import { expect, test } from 'bun:test'
import metaLeads from '../../../adapters/connector/meta-leads/index.ts'
import { shopsNamed } from '../../../core/sales/channels/shops-named.ts'

const named = (body: string) =>
  shopsNamed(metaLeads, { method: 'POST', url: '/', headers: {}, body: new TextEncoder().encode(body) })?.names

test('shops are named once each, through lists, and so many at most', () => {
  expect(named(JSON.stringify({ entry: [{ id: '1' }, { id: 2 }, { id: '1' }, { id: {} }, null] }))).toEqual(['1', '2'])
  expect(named(JSON.stringify({ entry: Array.from({ length: 500 }, (_, id) => ({ id: String(id) })) }))).toHaveLength(50)
})

test('whatever a stranger sends names nobody, and costs little', () => {
  for (const body of [
    '',
    'null',
    '5',
    '[]',
    '{"entry":5}',
    '{"entry":{"id":[]}}',
    `{"entry":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  ])
    expect(named(body)).toEqual([])
})
