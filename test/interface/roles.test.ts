import { expect, test } from 'bun:test'
import { permissions, products, roles, scopes } from '../../core/http/auth/scopes.ts'
import { readPages } from '../docs/generated.ts'
import { startApp } from '../support/app.ts'
import { type Described, describedBy, isOpen, permissionAtKind, readDocument, takes } from '../support/openapi.ts'
import { rolesPages } from './roles.ts'

const app = await startApp()
const document = await readDocument(app)
const operations = describedBy(document)
const named = ({ method, path }: Described) => `${method} ${path}`

const OTHERS = [
  'anybody',
  'signed in',
  'member of the tenant',
  'member of the tenant, or admin of the project',
  'admin of the tenant',
  'owner of the tenant',
  'admin of the project',
  'admin of the platform',
  'API key',
]
const known = (values: readonly string[], value: string | undefined) => value !== undefined && values.includes(value)

test('docs/roles.md and docs/roles/ say what the OpenAPI document says: write them with bun test/interface/roles.ts', async () => {
  expect(await readPages('roles')).toEqual(rolesPages(document))
})

test('every operation says who may ask, with a role, a scope and a product that there are', () => {
  const unclear = operations.filter((described) => {
    const { 'x-role': role, 'x-scope': scope, 'x-product': product } = described.operation
    return (
      !known([...roles, ...OTHERS], role) ||
      (scope !== undefined && !known(scopes, scope)) ||
      (product !== undefined && !known(products, product))
    )
  })
  expect(unclear.map(named)).toEqual([])
})

test('where kinds of adapters share a path, each says what it wants', () => {
  const shared = operations.flatMap(({ operation }) => Object.values(operation['x-by-kind'] ?? {}))
  expect(shared.length).toBeGreaterThan(2)
  expect(
    shared.filter(
      (access) =>
        !known(roles, access.role) ||
        !known(scopes, access.scope) ||
        !known(permissions, permissionAtKind(access)) ||
        (access.product !== undefined && !known(products, access.product)),
    ),
  ).toEqual([])
})

test('what keys are taken by names its scope, and only that; what anybody may ask is open', () => {
  const closed = operations.filter((described) => !isOpen(described) && described.operation.security?.length)
  // Each tool there has a scope of its own.
  const byScope = closed.filter(({ path }) => path !== '/mcp')
  const wrong = byScope.filter((described) => takes(described, 'apiKey') !== (described.operation['x-scope'] !== undefined))
  expect(wrong.map(named)).toEqual([])
  expect(closed.filter(({ operation }) => operation['x-role'] === 'anybody').map(named)).toEqual([])
  expect(closed.filter((described) => !takes(described, 'session') && described.operation['x-role'] !== 'API key').map(named)).toEqual([])
})

/** Routes about the caller's own place: an invited user has no role yet, and every member may see and give up theirs, hear of, search and count what they may read, and save filters. */
const OF_ONESELF = /\/(invites\/\{\w+\}\/(accept|decline)|members\/me|live|search|attention|saved-filters(\/\{\w+\})?)$/

test('what is about a store says the role that it takes in it', () => {
  const about = operations.filter(
    ({ path, operation }) =>
      path.startsWith('/v1/stores/{storeId}') && !operation['x-callback'] && operation['x-role'] !== 'anybody' && !OF_ONESELF.test(path),
  )
  expect(about.length).toBeGreaterThan(50)
  expect(about.filter(({ operation }) => !known(roles, operation['x-role'])).map(named)).toEqual([])
})

/** Adapters are part of the server, and nobody's. */
const OF_NOBODY = ['/v1/adapters/{key}']

test('who is merely signed in, with any role or none, is asked where nothing is of a store', () => {
  const merely = operations.filter((described) => described.operation['x-role'] === 'signed in' && takes(described, 'apiKey'))
  expect(merely.filter(({ path }) => path.includes('{') && !OF_NOBODY.includes(path)).map(named)).toEqual([])
})

test('what takes a role in a store takes a permission of members who were given some, or is not for them', () => {
  const ofStores = operations.filter(
    ({ operation }) => known(roles, operation['x-role']) && !operation['x-callback'] && !operation['x-by-kind'],
  )
  const without = ofStores.filter(({ operation }) => !known(permissions, operation['x-permission']))
  // Nothing is kept from an owner.
  const notOwners = without.filter(({ operation }) => operation['x-role'] !== 'owner')
  expect(notOwners.map(named)).toEqual(['POST /v1/stores/{storeId}/ensure-project'])
})
