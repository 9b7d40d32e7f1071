import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { tagOperations } from '../../http/route.ts'
import { Data } from '../../http/schema.ts'
import { Me } from './me.model.ts'
import { readMe } from './read-me.ts'

const describe = tagOperations('Users')

/** Route that tells a client who is signed in and what they may do. */
export const me = (context: Context) =>
  new Elysia({ name: 'me', prefix: '/v1/me' }).use(context.auth).get('', async ({ person }) => ({ data: await readMe(context, person) }), {
    user: true,
    response: Data(Me),
    detail: describe('Read your account, your stores and tenants, and what you may do in them', 'readMyAccess'),
  })
