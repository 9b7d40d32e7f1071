import type { TObject, TSchema } from '@sinclair/typebox'
import type { Permission, Scope } from '../core/http/auth/scopes.ts'

/** HTTP method of a route. */
export type Method = 'OPTIONS' | 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** Role of a member in a store. */
export type Role = 'owner' | 'admin' | 'agent' | 'viewer'

/** Capability of a plugin with the route through which callers use it. */
export interface Operation {
  readonly summary: string
  /**
   * Paths below `/v1/stores/:storeId/integrations/:key/`, or absolute if they begin with `/`; `:key` is then part of them. Several
   * spellings may be aliases: `wilayas` and `states`.
   */
  readonly paths: readonly string[]
  /**
   * Path for an adapter that lists the operation in `branded`, made of its slug. For `google-sheets`, `{Brand}` becomes `GoogleSheets` and
   * `{brand}` becomes `googleSheets`. The rest of the path names the kind, so that paths of two adapters cannot collide.
   */
  readonly brand?: string
  readonly methods: readonly Method[]
  /** Lowest role in the store that may use it. */
  readonly role: Role
  /** Scope that an API key needs, if it differs from the kind's scope for the role. */
  readonly scope?: Scope
  /** Permission that a restricted member needs, if it differs from the scope. All paths of the operation must contain `:storeId`. */
  readonly permission?: Permission
  /** Members that an adapter must have to offer it: `track`, `webhook`, `cash.batches`. */
  readonly needs: readonly string[]
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** Schema of `data` in the response. Absent for a list of `rows` and for a response of raw bytes (a label). */
  readonly response?: TSchema
  /** Schema of one row of a paginated list. */
  readonly rows?: TSchema
  /** Status of success, if it is not 200. */
  readonly status?: number
  /** Content type of a response of raw bytes. */
  readonly bytes?: string
  /** Answers 202 if the platform needs longer. */
  readonly mayTakeLonger?: boolean
  /** Also open to the shop's customers without a credential, if the store allows ordering. */
  readonly storefront?: boolean
  /** Called by the platform without a credential of ours. The adapter verifies the exact bytes. */
  readonly callback?: boolean
}

const define =
  (methods: readonly Method[]) =>
  <const O extends Omit<Operation, 'methods'>>(operation: O) => ({ ...operation, methods })
/** Declares an operation called by GET. */
export const get = define(['GET'])
/** Declares an operation called by POST. */
export const post = define(['POST'])
/** Declares an operation called by GET or POST; by POST, the query parameters are in the body. */
export const getOrPost = define(['GET', 'POST'])
/** Declares an operation called by DELETE. */
export const remove = define(['DELETE'])
/** Declares an operation called by PATCH. */
export const patch = define(['PATCH'])
