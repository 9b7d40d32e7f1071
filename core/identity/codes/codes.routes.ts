import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { languageWanted } from '../../http/pages/language.ts'
import { Data } from '../../http/schema.ts'
import { findPerson } from '../auth/account.ts'
import { User } from '../auth/auth.model.ts'
import { originOf } from '../auth/sign-in/open-session.ts'
import { askForCode, mayAsk } from './ask.ts'
import {
  AskedCode,
  CodeUse,
  Confirmation,
  GivenCode,
  InspectedCode,
  NewCode,
  ResetRequest,
  Sent,
  TokenQuery,
  UsedCode,
} from './codes.model.ts'
import { resetPage, verified, verifyPage, wasReset } from './pages.ts'
import { confirmByLink, inspectCode, useCode } from './use.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Users'], summary, operationId })
const HTML = { 'text/html': { schema: { type: 'string' as const } } }
const page = { responses: { 200: { description: 'A page.', content: HTML } } }
const FORM = { type: 'object' as const, additionalProperties: { type: 'string' as const } }
const form = { ...page, requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: FORM } } } }

/** One-time codes by mail: to sign in, to confirm an address, to choose a new password. Nobody learns from them whether there is an account. */
export const codes = (context: Context) =>
  new Elysia({ name: 'codes', prefix: '/v1/users/auth' })
    .use(context.auth)
    .post(
      '/code',
      async ({ body, address, request, set }) => {
        const { email, purpose = 'sign_in', language = languageWanted(request) } = body
        const asked = { purpose, email, language }
        const near = await mayAsk(context, asked, address)
        set.status = 202
        return { data: await transaction(context.sql, (tx) => askForCode(tx, { ...asked, ...near })) }
      },
      {
        open: true,
        body: NewCode,
        response: { 202: Data(AskedCode) },
        detail: describe('Ask for a one-time code by mail; the answer is the same whether there is an account or not', 'askForCode'),
      },
    )
    .post('/code/inspect', async ({ body }) => ({ data: await inspectCode(context, body) }), {
      open: true,
      body: GivenCode,
      response: Data(InspectedCode),
      detail: describe('See whether a code is right and what it is for, without using it; five wrong tries end it', 'inspectCode'),
    })
    .post('/code/consume', async ({ body, ...request }) => ({ data: await useCode(context, body, originOf(request)) }), {
      open: true,
      body: CodeUse,
      response: Data(UsedCode),
      detail: describe('Use a code, once: sign in, confirm the address, or set a new password', 'useCode'),
    })
    .post(
      '/verify-email/resend',
      async ({ person, address, request, set }) => {
        const user = await findPerson(context.sql, person.id)
        if (!user) throw notFound('The account')
        if (user.emailVerified) throw new ApiError('conflict', 'Your e-mail address is confirmed already.')
        const asked = { purpose: 'verify_email' as const, email: user.email, language: languageWanted(request) }
        const near = await mayAsk(context, asked, address)
        set.status = 202
        return { data: await transaction(context.sql, (tx) => askForCode(tx, { ...asked, ...near })) }
      },
      {
        user: true,
        response: { 202: Data(AskedCode) },
        detail: describe('Mail the confirmation of your e-mail address once more', 'resendVerification'),
      },
    )
    .post('/verify-email/confirm', async ({ body }) => ({ data: await confirmByLink(context, body.token) }), {
      open: true,
      body: Confirmation,
      response: Data(User),
      detail: describe('Confirm an e-mail address by the token of the link that was mailed', 'confirmEmail'),
    })
    .post(
      '/reset-password',
      async ({ body, address, request, set }) => {
        const asked = { purpose: 'reset_password' as const, email: body.email, language: body.language ?? languageWanted(request) }
        const near = await mayAsk(context, asked, address)
        await transaction(context.sql, (tx) => askForCode(tx, { ...asked, ...near }))
        set.status = 202
        return { data: { accepted: true as const } }
      },
      {
        open: true,
        body: ResetRequest,
        response: { 202: Data(Sent) },
        detail: describe('Ask for a new password: a link is mailed to whoever has an account with this address', 'askForReset'),
      },
    )
    .get('/reset-password', ({ request }) => resetPage(context, request), {
      open: true,
      query: TokenQuery,
      detail: { ...describe('The page where a new password is chosen', 'showReset'), ...page },
    })

/** Pages that mails lead to, and what their forms send. */
export const codePages = (context: Context) =>
  new Elysia({ name: 'code-pages', prefix: '/v1' })
    .use(context.auth)
    .get('/__/email/verify', ({ request }) => verifyPage(context, request), {
      open: true,
      query: TokenQuery,
      detail: { ...describe('The page where an e-mail address is confirmed', 'showVerification'), ...page },
    })
    .post('/__/email/verify', ({ request }) => verified(context, request), {
      open: true,
      detail: { ...describe('What that page sends', 'confirmEmailByForm'), ...form },
    })
    .post('/auth/web/reset-password-confirm', ({ request }) => wasReset(context, request), {
      open: true,
      detail: { ...describe('What the page sends where a new password is chosen', 'resetPassword'), ...form },
    })
