import { can, isAdmin, type Principal, unauthenticated } from '../auth/principal.ts'
import type { Right, Role, Scope } from '../auth/scopes.ts'
import { ApiError, invalid, notFound } from '../errors/errors.ts'
import type { AccessRule } from '../route.ts'
import type { AnyOf, Equal, Row } from './rows.queries.ts'

/** Who may touch a store's rows; where no store is named, the one that a key acts for. Given from outside, since this folder knows no stores. */
export type StoreGuard = (caller: Principal, storeId: string | undefined, needed: Right) => Promise<OwnerRef>

/** Whose a row is, as events need to know it. */
export interface OwnerRef {
  /** Of the store or the project. */
  readonly id: string
  readonly projectId: string
}

/** Whose rows a table has. */
export type Owner =
  /** Of stores. `exists` says whether a store is there, and is needed where anybody may read; `orPlatform`: rows without a store are everybody's. */
  | {
      readonly of: 'store'
      readonly guard: StoreGuard
      readonly exists?: (storeId: string) => Promise<boolean>
      readonly orPlatform?: true
    }
  /** Of projects, whose API keys alone ask. */
  | { readonly of: 'project' }
  /** Of the platform, whose administrators write. */
  | { readonly of: 'platform' }

/** Least role in the store, and the scopes of API keys, which members who were given permissions need as well. */
export interface Access {
  readonly read: Role
  readonly write: Role
  /** As `write`, unless said. */
  readonly remove?: Role
  readonly readScope: Scope
  readonly writeScope: Scope
}

/** What those see who are not of the owner; of a table that stores share with the platform, what stores see of the platform's. */
export interface PublicView {
  /** Without a credential, or with any. */
  readonly to: 'anybody' | 'signed in'
  /** Which rows; all where this is left out. */
  readonly where?: Equal
  /** Fields that they do not see. */
  readonly without?: readonly string[]
}

/** What a list shows to who asks: which rows, and whether all of each. */
export interface Visibility {
  readonly where: readonly AnyOf[]
  readonly whole: boolean
}

/** Who may do what with the rows of a table. All throw `not_found` for what the caller must not know of, and `forbidden`. */
export interface Ownership {
  readonly column: 'storeId' | 'projectId' | null
  /** Whether a creation may leave the store out. */
  readonly optional: boolean
  readonly may: { readonly read: AccessRule; readonly write: AccessRule }
  list(caller: Principal | null, storeId: string | undefined): Promise<Visibility>
  /** Whether the caller sees all of this row. */
  read(caller: Principal | null, row: Row): Promise<boolean>
  /** Null: the platform. */
  create(caller: Principal | null, storeId: string | null | undefined): Promise<OwnerRef | null>
  write(caller: Principal | null, row: Row, verb: 'change' | 'remove'): Promise<OwnerRef | null>
}

interface Said {
  readonly name: string
  readonly access: Access | undefined
  readonly shown: PublicView | undefined
}

export function ownershipOf(owner: Owner, said: Said): Ownership {
  if (owner.of === 'platform') return ofPlatform(said)
  if (owner.of === 'project') return ofProject(said)
  return owner.orPlatform ? ofStoreOrPlatform(owner.guard, said) : ofStore(owner.guard, owner.exists, said)
}

const present = (caller: Principal | null): Principal => {
  if (!caller) throw unauthenticated()
  return caller
}
const accessOf = ({ access, name }: Said): Access => {
  if (!access) throw new Error(`The resource ${name} does not say who has access.`)
  return access
}
const rightsOf = ({ read, write, remove = write, readScope, writeScope }: Access): readonly [read: Right, write: Right, remove: Right] => [
  [read, readScope],
  [write, writeScope],
  [remove, writeScope],
]
const isShown = ({ where = {} }: PublicView, row: Row) => Object.entries(where).every(([column, value]) => row[column] === value)

/**
 * Whether this caller is one of the owner's: what anybody may ask is asked by members and strangers alike, and a stranger is not refused but
 * sees less.
 */
async function isOneOf(caller: Principal | null, scope: Scope, guarded: (caller: Principal) => Promise<unknown>): Promise<boolean> {
  if (!caller || !can(caller, scope)) return false
  return guarded(caller).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError && error.status < 500) return false
      throw error
    },
  )
}

function ofStore(guard: StoreGuard, exists: ((storeId: string) => Promise<boolean>) | undefined, said: Said): Ownership {
  const { shown, name } = said
  const access = accessOf(said)
  const isOpen = shown?.to === 'anybody'
  const [toRead, toWrite, toRemove] = rightsOf(access)
  const isMember = (caller: Principal | null, storeId: string | undefined) =>
    isOneOf(caller, access.readScope, (member) => guard(member, storeId, toRead))
  return {
    column: 'storeId',
    optional: false,
    may: { read: isOpen ? { open: true } : { access: access.readScope }, write: { access: access.writeScope } },
    async list(caller, storeId) {
      if (isOpen && !(await isMember(caller, storeId))) {
        if (storeId === undefined) throw invalid('/query/storeId', 'Say which store.')
        if (!(await exists?.(storeId))) throw notFound('The store')
        return { where: [[{ storeId }], [shown.where ?? {}]], whole: false }
      }
      const store = await guard(present(caller), storeId, toRead)
      return { where: [[{ storeId: store.id }]], whole: true }
    },
    async read(caller, row) {
      if (isOpen && !(await isMember(caller, String(row.storeId)))) {
        if (!isShown(shown, row) || !(await exists?.(String(row.storeId)))) throw notFound(`The ${name}`)
        return false
      }
      await guard(present(caller), String(row.storeId), toRead)
      return true
    },
    create: (caller, storeId) => guard(present(caller), storeId ?? undefined, toWrite),
    write: (caller, row, verb) => guard(present(caller), String(row.storeId), verb === 'remove' ? toRemove : toWrite),
  }
}

function ofStoreOrPlatform(guard: StoreGuard, said: Said): Ownership {
  const { shown, name } = said
  const store = ofStore(guard, undefined, { ...said, shown: undefined })
  const onlyAdmins = () =>
    new ApiError('forbidden', `Only administrators of the platform write a ${name} that is no store's. Say which store.`)
  return {
    ...store,
    optional: true,
    async list(caller, storeId) {
      const platforms = { storeId: null, ...(!isAdmin(present(caller)) && shown?.where) }
      if (storeId === undefined && !caller?.project) return { where: [[platforms]], whole: true }
      const own = await guard(present(caller), storeId, rightsOf(accessOf(said))[0])
      return { where: [[{ storeId: own.id }, platforms]], whole: true }
    },
    async read(caller, row) {
      if (row.storeId !== null) return store.read(caller, row)
      if (!isAdmin(present(caller)) && !(shown && isShown(shown, row))) throw notFound(`The ${name}`)
      return true
    },
    async create(caller, storeId) {
      if (storeId !== undefined && storeId !== null) return store.create(caller, storeId)
      if (!isAdmin(present(caller))) throw onlyAdmins()
      return null
    },
    async write(caller, row, verb) {
      if (row.storeId !== null) return store.write(caller, row, verb)
      await this.read(caller, row)
      if (!isAdmin(present(caller))) throw onlyAdmins()
      return null
    },
  }
}

function ofProject(said: Said): Ownership {
  const { readScope, writeScope } = accessOf(said)
  const projectOf = (caller: Principal | null): OwnerRef => {
    const { project } = present(caller)
    if (!project) throw new ApiError('forbidden', `A ${said.name} is a project's: ask with an API key, or a token that acts in a project.`)
    return { id: project.id, projectId: project.id }
  }
  const own = (caller: Principal | null, row: Row): OwnerRef => {
    const project = projectOf(caller)
    if (project.id !== row.projectId) throw notFound(`The ${said.name}`)
    return project
  }
  return {
    column: 'projectId',
    optional: false,
    may: { read: { project: readScope }, write: { project: writeScope } },
    list: async (caller) => ({ where: [[{ projectId: projectOf(caller).id }]], whole: true }),
    read: async (caller, row) => own(caller, row) !== null,
    create: async (caller) => projectOf(caller),
    write: async (caller, row) => own(caller, row),
  }
}

/** Its macro lets nobody but administrators write. */
function ofPlatform({ name, shown }: Said): Ownership {
  const seesAll = (caller: Principal | null) => caller !== null && isAdmin(caller)
  return {
    column: null,
    optional: false,
    may: { read: shown?.to === 'anybody' ? { open: true } : { user: true }, write: { user: 'admin' } },
    list: async (caller) => ({ where: seesAll(caller) ? [] : [[shown?.where ?? {}]], whole: seesAll(caller) || !shown?.without }),
    async read(caller, row) {
      if (seesAll(caller)) return true
      if (shown && !isShown(shown, row)) throw notFound(`The ${name}`)
      return !shown?.without
    },
    create: async () => null,
    write: async () => null,
  }
}
