import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { preferredLanguage } from '../../http/pages/language.ts'
import { tagOperations } from '../../http/route.ts'
import { Data } from '../../http/schema.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { findPublicUser } from '../auth/account.ts'
import { User } from '../auth/auth.model.ts'
import { clientOriginOf } from '../auth/sign-in/create-session.ts'
import { codeErrors } from './codes.errors.ts'
import {
  AcceptedResponse,
  CodeInspection,
  CodeUse,
  CodeUseResult,
  EmailConfirmation,
  NewCode,
  PasswordResetRequest,
  RequestedCode,
  SubmittedCode,
  TokenQuery,
} from './codes.model.ts'
import { handleResetForm, handleVerifyForm, resetPage, verifyPage } from './pages.ts'
import { requestCode, throttleCodeRequest } from './request-code.ts'
import { confirmEmailByLink, inspectCode, useCode } from './use-code.ts'

const describe = tagOperations('Users')
const HTML = { 'text/html': { schema: { type: 'string' as const } } }
const page = { responses: { 200: { description: 'A page.', content: HTML } } }
const FORM = { type: 'object' as const, additionalProperties: { type: 'string' as const } }
const form = { ...page, requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: FORM } } } }

/**
 * Routes for one-time codes by mail: to sign in, to confirm an address and to reset a password. None of them reveals if an account exists.
 */
export const codes = (context: Context) =>
  new Elysia({ name: 'codes', prefix: '/v1/users/auth' })
    .use(context.auth)
    .post(
      '/code',
      async ({ body, address, request, set }) => {
        const { email, purpose = 'sign_in', language = preferredLanguage(request) } = body
        const input = { purpose, email, language }
        const near = await throttleCodeRequest(context, input, address)
        set.status = 202
        return { data: await transaction(context.sql, (tx) => requestCode(tx, { ...input, ...near })) }
      },
      {
        open: true,
        body: NewCode,
        response: { 202: Data(RequestedCode) },
        detail: describe('Request a one-time code by mail; the response is the same with and without an account', 'askForCode'),
      },
    )
    .post('/code/inspect', async ({ body }) => ({ data: await inspectCode(context, body) }), {
      open: true,
      body: SubmittedCode,
      response: Data(CodeInspection),
      detail: describe('Check a code and read its purpose without using it; five wrong attempts end it', 'inspectCode'),
    })
    .post('/code/consume', async ({ body, ...request }) => ({ data: await useCode(context, body, clientOriginOf(request)) }), {
      open: true,
      body: CodeUse,
      response: Data(CodeUseResult),
      detail: describe('Use a code, once: sign in, confirm the address, or set a new password', 'useCode'),
    })
    .post(
      '/verify-email/resend',
      async ({ person, address, request, set }) => {
        const user = await findPublicUser(context.sql, person.id)
        if (!user) throw notFound('The account')
        if (user.emailVerified) throw codeErrors.emailConfirmed()
        const input = { purpose: 'verify_email' as const, email: user.email, language: preferredLanguage(request) }
        const near = await throttleCodeRequest(context, input, address)
        set.status = 202
        return { data: await transaction(context.sql, (tx) => requestCode(tx, { ...input, ...near })) }
      },
      {
        user: true,
        response: { 202: Data(RequestedCode) },
        detail: describe('Mail the confirmation of your e-mail address again', 'resendVerification'),
      },
    )
    .post('/verify-email/confirm', async ({ body }) => ({ data: await confirmEmailByLink(context, body.token) }), {
      open: true,
      body: EmailConfirmation,
      response: Data(User),
      detail: describe('Confirm an e-mail address with the token of the mailed link', 'confirmEmail'),
    })
    .post(
      '/reset-password',
      async ({ body, address, request, set }) => {
        const input = { purpose: 'reset_password' as const, email: body.email, language: body.language ?? preferredLanguage(request) }
        const near = await throttleCodeRequest(context, input, address)
        await transaction(context.sql, (tx) => requestCode(tx, { ...input, ...near }))
        set.status = 202
        return { data: { accepted: true as const } }
      },
      {
        open: true,
        body: PasswordResetRequest,
        response: { 202: Data(AcceptedResponse) },
        detail: describe('Request a new password: if an account has this address, a link is mailed to it', 'askForReset'),
      },
    )
    .get('/reset-password', ({ request }) => resetPage(context, request), {
      open: true,
      query: TokenQuery,
      detail: { ...describe('Show the page to choose a new password', 'showReset'), ...page },
    })

/** Pages to which mailed links lead, and the forms that they submit. */
export const codePages = (context: Context) =>
  new Elysia({ name: 'code-pages', prefix: '/v1' })
    .use(context.auth)
    .get('/__/email/verify', ({ request }) => verifyPage(context, request), {
      open: true,
      query: TokenQuery,
      detail: { ...describe('Show the page to confirm an e-mail address', 'showVerification'), ...page },
    })
    .post('/__/email/verify', ({ request }) => handleVerifyForm(context, request), {
      open: true,
      detail: { ...describe('Submit the form that confirms an e-mail address', 'confirmEmailByForm'), ...form },
    })
    .post('/auth/web/reset-password-confirm', ({ request }) => handleResetForm(context, request), {
      open: true,
      detail: { ...describe('Submit the form with the new password', 'resetPassword'), ...form },
    })
