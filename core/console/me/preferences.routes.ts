import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { tagOperations } from '../../http/route.ts'
import { Data } from '../../http/schema.ts'
import { changePreferences } from './change-preferences.ts'
import { PreferenceChange, Preferences } from './preferences.model.ts'
import { findPreferences } from './preferences.queries.ts'

const describe = tagOperations('Users')

/** Routes of how a user wants to see the console. */
export const preferences = (context: Context) =>
  new Elysia({ name: 'preferences', prefix: '/v1/me/preferences' })
    .use(context.auth)
    .get('', async ({ person }) => ({ data: await findPreferences(context.sql, person.id) }), {
      user: true,
      response: Data(Preferences),
      detail: describe('Read how you want to see the console', 'readPreferences'),
    })
    .patch('', async ({ person, body }) => ({ data: await changePreferences(context, person.id, body) }), {
      user: 'direct',
      body: PreferenceChange,
      response: Data(Preferences),
      detail: describe('Change how you want to see the console; what you leave out stays', 'changePreferences'),
    })
