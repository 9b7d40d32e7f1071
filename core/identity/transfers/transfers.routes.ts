import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { tagOperations } from '../../http/route.ts'
import { Data } from '../../http/schema.ts'
import { TokenQuery } from '../codes/codes.model.ts'
import { handleTransferForm, transferPage } from './pages.ts'
import { NewTransfer, Transfer } from './transfers.model.ts'
import { offerTransfer } from './transfers.ts'

const describe = tagOperations('Users')
const HTML = { 'text/html': { schema: { type: 'string' as const } } }
const page = { responses: { 200: { description: 'A page.', content: HTML } } }
const FORM = { type: 'object' as const, additionalProperties: { type: 'string' as const } }

/** Routes by which a user transfers everything they own to another user. */
export const transfers = (context: Context) =>
  new Elysia({ name: 'transfers', prefix: '/v1/users/auth/transfer' })
    .use(context.auth)
    .post(
      '',
      async ({ person, body, address, set }) => {
        set.status = 202
        return { data: await offerTransfer(context, person.id, body, address) }
      },
      {
        user: 'direct',
        body: NewTransfer,
        response: { 202: Data(Transfer) },
        detail: describe(
          'Transfer all tenants and stores that you own: the reader of that mailbox can accept within seven days, unless you change your password before; you stay an administrator',
          'transferAccount',
        ),
      },
    )
    .get('', ({ request }) => transferPage(context, request), {
      open: true,
      query: TokenQuery,
      detail: { ...describe('Show the page to accept or decline a transfer', 'showTransfer'), ...page },
    })
    .post('/decide', ({ request }) => handleTransferForm(context, request), {
      open: true,
      detail: {
        ...describe('Submit the form that accepts or declines a transfer', 'decideTransfer'),
        ...page,
        requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: FORM } } },
      },
    })
