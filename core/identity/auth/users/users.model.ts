import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { defineList, type ListQuery } from '../../../http/resource/list.ts'
import { exact, named } from '../../../http/schema.ts'
import { Email, Name, Password } from '../auth.model.ts'

/** Sorting, filters and search of the list of users. */
export const userList = defineList({
  sorts: { name: 'name', email: 'email' },
  filters: { isAdmin: t.Boolean() },
  search: 'names and e-mail addresses',
})
/** Parsed query of the list of users. */
export type UserListQuery = ListQuery<typeof userList.filters>

/** Body of the request by which an administrator creates a user. */
export const NewUser = named(
  'NewUser',
  exact({
    name: Name,
    email: Email,
    password: T.Optional({ ...Password, description: 'when omitted, the user is mailed a link to choose one' }),
  }),
)
/** Type of {@link NewUser}. */
export type NewUser = Static<typeof NewUser>

/** Body of the request by which an administrator replaces name and e-mail address. */
export const UserReplacement = named('UserReplacement', exact({ name: Name, email: Email }))
/** Body of the request by which an administrator changes a user. */
export const UserPatch = named('UserPatch', exact({ name: T.Optional(Name), email: T.Optional(Email) }, { minProperties: 1 }))
/** Type of {@link UserPatch}. */
export type UserPatch = Static<typeof UserPatch>
