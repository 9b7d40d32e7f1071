import { PLATFORM_PROJECT_ID, projectIdOf, storeIdOf } from '../../data/project-ids.ts'
import { isRefusal, notFound } from '../../lib/errors/domain-error.ts'
import { canUse, isAdmin, type Principal, unauthenticatedError } from '../auth/principal.ts'
import type { Role, Scope, StoreRight } from '../auth/scopes.ts'
import { ApiError, invalidValue } from '../errors/errors.ts'
import type { AccessRule } from '../route.ts'
import type { AnyOf, Equality, Row } from './rows.queries.ts'

/** Guard of a store's rows. Without a store id, it takes the store of the key's project. Injected, since this folder knows no stores. */
export type StoreGuard = (caller: Principal, storeId: string | undefined, needed: StoreRight) => Promise<OwnerRef>

/** Owner of a row, as events need it. */
export interface OwnerRef {
  /** Id of the store or the project. */
  readonly id: string
  readonly projectId: string
}

/** Owners of a table's rows. */
export type Owner =
  /** Stores. `exists` checks a store and is required if anyone may read. `orPlatform`: the platform has rows too, whose project is empty. */
  | {
      readonly of: 'store'
      readonly guard: StoreGuard
      readonly exists?: (storeId: string) => Promise<boolean>
      readonly orPlatform?: true
    }
  /** Projects. Only API keys and app tokens have access. */
  | { readonly of: 'project' }
  /** The platform. Its administrators write. */
  | { readonly of: 'platform' }

/** Least role in the store, and scope for API keys. Members with individual permissions need the scope as a permission. */
export interface ResourceAccess {
  readonly read: Role
  readonly write: Role
  /** Role for deletion; `write` by default. */
  readonly remove?: Role
  readonly readScope: Scope
  readonly writeScope: Scope
}

/** View for callers who are not the owner. In a table shared with the platform, the stores' view of the platform's rows. */
export interface PublicView {
  /** Callers with access: anyone, or anyone with a credential. */
  readonly to: 'anybody' | 'signed in'
  /** Condition on the visible rows; all rows by default. */
  readonly where?: Equality
  /** Fields that are hidden. */
  readonly without?: readonly string[]
}

/** Rows that a list shows to a caller, and whether with all fields. */
export interface Visibility {
  readonly where: readonly AnyOf[]
  readonly isComplete: boolean
}

/** Access to the rows of a table. Methods throw `not_found` for rows that the caller must not know of, and `forbidden` otherwise. */
export interface Ownership {
  /** True if the rows have a project in `project_id`. */
  readonly isOwned: boolean
  /** Field that names the owner in requests and responses. */
  readonly field: 'storeId' | 'projectId' | null
  /** True if the store may be left out at creation. */
  readonly isOptional: boolean
  /** Access that the routes declare. `remove` is that of deletion, where it differs from `write`. */
  readonly rules: { readonly read: AccessRule; readonly write: AccessRule; readonly remove?: AccessRule }
  list(caller: Principal | null, storeId: string | undefined): Promise<Visibility>
  /** Authorizes reading a row. Returns true if the caller sees all of its fields. */
  read(caller: Principal | null, row: Row): Promise<boolean>
  /** Authorizes a creation. Returns the owner; null for the platform. */
  create(caller: Principal | null, storeId: string | null | undefined): Promise<OwnerRef | null>
  write(caller: Principal | null, row: Row, verb: 'change' | 'remove'): Promise<OwnerRef | null>
}

interface OwnershipOptions {
  readonly name: string
  readonly access: ResourceAccess | undefined
  readonly shown: PublicView | undefined
}

/** Builds the access checks of a resource. */
export function ownershipOf(owner: Owner, said: OwnershipOptions): Ownership {
  if (owner.of === 'platform') return ofPlatform(said)
  if (owner.of === 'project') return ofProject(said)
  return owner.orPlatform ? ofStoreOrPlatform(owner.guard, said) : ofStore(owner.guard, owner.exists, said)
}

const requireCaller = (caller: Principal | null): Principal => {
  if (!caller) throw unauthenticatedError()
  return caller
}
const accessOf = ({ access, name }: OwnershipOptions): ResourceAccess => {
  if (!access) throw new Error(`The resource ${name} does not say who has access.`)
  return access
}
const rightsOf = ({
  read,
  write,
  remove = write,
  readScope,
  writeScope,
}: ResourceAccess): readonly [read: StoreRight, write: StoreRight, remove: StoreRight] => [
  [read, readScope],
  [write, writeScope],
  [remove, writeScope],
]
const storeOf = (row: Row) => storeIdOf(String(row.projectId))
const isShown = ({ where = {} }: PublicView, row: Row) => Object.entries(where).every(([column, value]) => row[column] === value)

/**
 * Returns true if the caller is a member. Used where anyone may read: other callers are not refused but see less. Rethrows server errors.
 */
async function isMemberOf(caller: Principal | null, scope: Scope, guarded: (caller: Principal) => Promise<unknown>): Promise<boolean> {
  if (!caller || !canUse(caller, scope)) return false
  return guarded(caller).then(
    () => true,
    (error: unknown) => {
      if (isRefusal(error)) return false
      throw error
    },
  )
}

function ofStore(guard: StoreGuard, exists: ((storeId: string) => Promise<boolean>) | undefined, said: OwnershipOptions): Ownership {
  const { shown, name } = said
  const access = accessOf(said)
  const isOpen = shown?.to === 'anybody'
  const [readRight, writeRight, removeRight] = rightsOf(access)
  const isMember = (caller: Principal | null, storeId: string | undefined) =>
    isMemberOf(caller, access.readScope, (member) => guard(member, storeId, readRight))
  return {
    isOwned: true,
    field: 'storeId',
    isOptional: false,
    rules: { read: isOpen ? { open: true } : { access: access.readScope }, write: { access: access.writeScope } },
    async list(caller, storeId) {
      if (isOpen && !(await isMember(caller, storeId))) {
        if (storeId === undefined) throw invalidValue('/query/storeId', 'Say which store.')
        if (!(await exists?.(storeId))) throw notFound('The store')
        return { where: [[{ projectId: projectIdOf(storeId) }], [shown.where ?? {}]], isComplete: false }
      }
      const store = await guard(requireCaller(caller), storeId, readRight)
      return { where: [[{ projectId: store.projectId }]], isComplete: true }
    },
    async read(caller, row) {
      if (isOpen && !(await isMember(caller, storeOf(row)))) {
        if (!isShown(shown, row) || !(await exists?.(storeOf(row)))) throw notFound(`The ${name}`)
        return false
      }
      await guard(requireCaller(caller), storeOf(row), readRight)
      return true
    },
    create: (caller, storeId) => guard(requireCaller(caller), storeId ?? undefined, writeRight),
    write: (caller, row, verb) => guard(requireCaller(caller), storeOf(row), verb === 'remove' ? removeRight : writeRight),
  }
}

function ofStoreOrPlatform(guard: StoreGuard, said: OwnershipOptions): Ownership {
  const { shown, name } = said
  const store = ofStore(guard, undefined, { ...said, shown: undefined })
  const adminsOnly = () =>
    new ApiError('forbidden', `Only administrators of the platform may write a ${name} without a store. Set storeId.`)
  return {
    ...store,
    isOptional: true,
    async list(caller, storeId) {
      const platforms = { projectId: PLATFORM_PROJECT_ID, ...(!isAdmin(requireCaller(caller)) && shown?.where) }
      if (storeId === undefined && !caller?.project) return { where: [[platforms]], isComplete: true }
      const own = await guard(requireCaller(caller), storeId, rightsOf(accessOf(said))[0])
      return { where: [[{ projectId: own.projectId }, platforms]], isComplete: true }
    },
    async read(caller, row) {
      if (row.projectId !== PLATFORM_PROJECT_ID) return store.read(caller, row)
      if (!isAdmin(requireCaller(caller)) && !(shown && isShown(shown, row))) throw notFound(`The ${name}`)
      return true
    },
    async create(caller, storeId) {
      if (storeId !== undefined && storeId !== null) return store.create(caller, storeId)
      if (!isAdmin(requireCaller(caller))) throw adminsOnly()
      return null
    },
    async write(caller, row, verb) {
      if (row.projectId !== PLATFORM_PROJECT_ID) return store.write(caller, row, verb)
      await this.read(caller, row)
      if (!isAdmin(requireCaller(caller))) throw adminsOnly()
      return null
    },
  }
}

function ofProject(said: OwnershipOptions): Ownership {
  const { read, write, remove = write, readScope, writeScope } = accessOf(said)
  const projectOf = (caller: Principal | null): OwnerRef => {
    const { project } = requireCaller(caller)
    if (!project) throw new ApiError('forbidden', `A ${said.name} belongs to a project. Use an API key, or a token of an app in a project.`)
    return { id: project.id, projectId: project.id }
  }
  const own = (caller: Principal | null, row: Row): OwnerRef => {
    const project = projectOf(caller)
    if (project.id !== row.projectId) throw notFound(`The ${said.name}`)
    return project
  }
  return {
    isOwned: true,
    field: 'projectId',
    isOptional: false,
    rules: { read: { project: [read, readScope] }, write: { project: [write, writeScope] }, remove: { project: [remove, writeScope] } },
    list: async (caller) => ({ where: [[{ projectId: projectOf(caller).id }]], isComplete: true }),
    read: async (caller, row) => own(caller, row) !== null,
    create: async (caller) => projectOf(caller),
    write: async (caller, row) => own(caller, row),
  }
}

/** Builds the checks of platform tables. The macro of their write routes admits only administrators. */
function ofPlatform({ name, shown }: OwnershipOptions): Ownership {
  const seesAll = (caller: Principal | null) => caller !== null && isAdmin(caller)
  return {
    isOwned: false,
    field: null,
    isOptional: false,
    rules: { read: shown?.to === 'anybody' ? { open: true } : { user: true }, write: { user: 'admin' } },
    list: async (caller) => ({ where: seesAll(caller) ? [] : [[shown?.where ?? {}]], isComplete: seesAll(caller) || !shown?.without }),
    async read(caller, row) {
      if (seesAll(caller)) return true
      if (shown && !isShown(shown, row)) throw notFound(`The ${name}`)
      return !shown?.without
    },
    create: async () => null,
    write: async () => null,
  }
}
