import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data } from '../../../http/schema.ts'
import { assertOwnPassword } from '../sign-in/sign-in.ts'
import {
  NewSecondFactor,
  RecoveryCodes,
  SecondFactor,
  SecondFactorCode,
  SecondFactorEnd,
  SecondFactorSecret,
} from './second-factor.model.ts'
import { beginSecondFactor, confirmSecondFactor, endSecondFactor, readSecondFactor, renewRecoveryCodes } from './second-factor.ts'

const describe = tagOperations('Users')

/** Routes for the second factor: codes of an authenticator app (RFC 6238). */
export const secondFactor = (context: Context) =>
  new Elysia({ name: 'second-factor', prefix: '/v1/users/auth/second-factor' })
    .use(context.auth)
    .get('', async ({ person }) => ({ data: await readSecondFactor(context, person.id) }), {
      user: true,
      response: Data(SecondFactor),
      detail: describe('Read the state of your second factor', 'readSecondFactor'),
    })
    .post(
      '',
      async ({ person, body, address }) => {
        const user = await assertOwnPassword(context, person.id, body.currentPassword, address)
        return { data: await beginSecondFactor(context, user, context.mail.from.name || 'Serai') }
      },
      {
        user: 'direct',
        body: NewSecondFactor,
        response: Data(SecondFactorSecret),
        detail: describe(
          'Start setting up a second factor: returns a secret for an authenticator app, which is active once confirmed',
          'beginSecondFactor',
        ),
      },
    )
    .post(
      '/confirm',
      async ({ person, body, address }) => ({ data: await confirmSecondFactor(context, person.id, body.secondFactor, address) }),
      {
        user: 'direct',
        body: SecondFactorCode,
        response: Data(RecoveryCodes),
        detail: describe('Confirm the second factor with its first code; returns recovery codes', 'confirmSecondFactor'),
      },
    )
    .post(
      '/recovery-codes',
      async ({ person, body, address }) => ({ data: await renewRecoveryCodes(context, person.id, body.secondFactor, address) }),
      {
        user: 'direct',
        body: SecondFactorCode,
        response: Data(RecoveryCodes),
        detail: describe('Replace all recovery codes', 'renewRecoveryCodes'),
      },
    )
    .post(
      '/disable',
      async ({ person, body, address, set }) => {
        await assertOwnPassword(context, person.id, body.currentPassword, address)
        await endSecondFactor(context, person.id, body.secondFactor, address)
        set.status = 204
      },
      {
        user: 'direct',
        body: SecondFactorEnd,
        response: { 204: T.Void() },
        detail: describe('Turn the second factor off', 'endSecondFactor'),
      },
    )
