import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { type Asked, listing } from '../../../http/resource/list.ts'
import { exact, named } from '../../../http/schema.ts'
import { Email, Name, Password } from '../auth.model.ts'

export const userList = listing({
  sorts: { name: 'name', email: 'email' },
  filters: { isAdmin: t.Boolean() },
  search: 'names and e-mail addresses',
})
export type AskedUsers = Asked<typeof userList.filters>

export const NewUser = named(
  'NewUser',
  exact({
    name: Name,
    email: Email,
    password: T.Optional({ ...Password, description: 'left out, the person is mailed a link to choose one' }),
  }),
)
export type NewUser = Static<typeof NewUser>

export const UserReplacement = named('UserReplacement', exact({ name: Name, email: Email }))
export const UserPatch = named('UserPatch', exact({ name: T.Optional(Name), email: T.Optional(Email) }, { minProperties: 1 }))
export type UserPatch = Static<typeof UserPatch>
