import { Type as T } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import type { RouteRequest } from '../route.ts'
import { Id } from '../schema.ts'
import type { Ownership } from './ownership.ts'
import type { Resource, ResourceShape, Verb } from './resource.model.ts'
import { type AnyOf, type Equality, findRow, hasRow, type Row, type Values } from './rows.queries.ts'

/** Shared state of a resource's handlers. */
export interface ResourceState {
  readonly context: Context
  readonly definition: Resource
  readonly ownership: Ownership
  readonly shape: ResourceShape
}

const METHODS = { list: 'GET', create: 'POST', read: 'GET', replace: 'PUT', patch: 'PATCH', remove: 'DELETE' } as const

/** Builds the properties that all routes of a resource share. */
export function sharedProperties(made: ResourceState, verb: Verb, summary: string) {
  const { definition, ownership } = made
  const { name, plural = `${name}s`, access: roles } = definition
  const isItem = verb !== 'list' && verb !== 'create'
  const isRead = verb === 'list' || verb === 'read'
  const { rules } = ownership
  const rule = isRead ? rules.read : verb === 'remove' ? (rules.remove ?? rules.write) : rules.write
  const role = isRead ? roles?.read : verb === 'remove' ? (roles?.remove ?? roles?.write) : roles?.write
  const params = paramsOf(made, isItem ? paramOf(made) : undefined)
  return {
    method: METHODS[verb],
    path: isItem ? `/:${paramOf(made)}` : '',
    access: rule,
    ...(Object.keys(params.properties).length > 0 && { params }),
    detail: {
      tags: [`${plural.charAt(0).toUpperCase()}${plural.slice(1)}`],
      summary,
      operationId: `${name.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())}.${verb}`,
      ...('access' in rule && role && { 'x-role': role }),
    },
  }
}

/** Returns the database of a resource. */
export const sqlOf = ({ context: { sql } }: ResourceState) => sql
/** Returns the name of the path parameter of an item. */
export const paramOf = ({ definition }: ResourceState) => definition.item?.param ?? 'id'
const paramsOf = ({ definition }: ResourceState, item: string | undefined) =>
  T.Object(
    Object.fromEntries([...Object.keys(definition.parent?.params ?? {}), ...(item === undefined ? [] : [item])].map((name) => [name, Id])),
  )
/** Returns the primary key of a row that was read. */
export const keyOf = ({ ownership }: ResourceState, { id, projectId }: Row): Equality =>
  ownership.isOwned ? { projectId: String(projectId), id } : { id }
/** Returns the store that a query names. */
export const storeIdOf = ({ storeId }: RouteRequest['query']) => storeId as string | undefined

/** Builds the conditions of the parent resources in the path. */
export const pathOf = ({ definition }: ResourceState, { params }: RouteRequest): AnyOf[] =>
  Object.entries(definition.parent?.params ?? {}).map(([param, { own }]) => own.map((column) => ({ [column]: params[param] ?? '' })))
/** Returns the values of a new row that come from the parent resources in the path. */
export const firstColumns = ({ definition }: ResourceState, { params }: RouteRequest): Values =>
  Object.fromEntries(Object.entries(definition.parent?.params ?? {}).map(([param, { own }]) => [own[0], params[param]]))

/** Throws `not_found` if the parent row in the path does not exist. */
export async function assertWithin(made: ResourceState, { params }: RouteRequest): Promise<void> {
  const { parent: within } = made.definition
  if (!within) return
  const theirs = Object.entries(within.params).map(([param, { theirs: column }]) => [column, params[param] ?? ''])
  if (!(await hasRow(sqlOf(made), within.table, Object.fromEntries(theirs)))) throw notFound(`The ${within.name}`)
}

/** Finds the row that the path names, by its id alone: only the row says which project it belongs to. Throws `not_found`. */
export async function findItem(made: ResourceState, ask: RouteRequest): Promise<Row> {
  const { definition, shape } = made
  const key = ask.params[paramOf(made)] ?? ''
  const by = definition.item?.by
  const row = await findRow(sqlOf(made), shape.table, [
    ...pathOf(made, ask),
    by === undefined ? [{ id: key }] : [{ id: key }, { [by]: key }],
  ])
  if (!row) throw notFound(`The ${definition.name}`)
  return row
}
