import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { personIdOf } from '../../../http/auth/principal.ts'
import { parsePhone } from '../../../http/body/phone.ts'
import { createOnce } from '../../../http/idempotency.ts'
import { readList } from '../../../http/resource/list.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List } from '../../../http/schema.ts'
import { Block, blockList, NewBlock } from './blocks.model.ts'
import { listBlocks } from './blocks.queries.ts'
import { addBlock, removeBlock } from './blocks.ts'

const describe = tagOperations('Stores')
const ById = T.Object({ storeId: Id })

/** Routes of the blocks of a store, which refuse orders without an account. */
export const blocks = (context: Context) =>
  new Elysia({ name: 'blocks', prefix: '/v1/stores/:storeId/integrations/security/block' })
    .use(context.authority)
    .get(
      '',
      ({ store, query }) =>
        readList(context.sql, blockList, query, (reader, asked) => {
          const { phone, ...filter } = asked.filter
          const normal = phone === undefined ? {} : { phone: parsePhone(phone, store.countryCode, ['phone']) }
          return listBlocks(reader, store.id, { ...asked, filter: { ...filter, ...normal } })
        }),
      {
        store: ['agent', 'orders:read'],
        params: ById,
        query: blockList.query,
        response: List(Block),
        detail: describe('List the blocks of a store', 'listBlocks'),
      },
    )
    .post(
      '',
      (creation) =>
        createOnce(context, creation, async (tx) => ({
          data: await addBlock(tx, creation.store, personIdOf(creation.caller), creation.body),
        })),
      {
        store: ['agent', 'orders:write'],
        params: ById,
        body: NewBlock,
        response: { 201: Data(Block) },
        detail: describe(
          'Block a phone, an address or a network: its public orders are refused, those of members and keys carry a warning',
          'block',
        ),
      },
    )
    .delete(
      '/:blockId',
      async ({ store, params, set }) => {
        await removeBlock(context, store, params.blockId)
        set.status = 204
      },
      {
        store: ['agent', 'orders:write'],
        params: T.Object({ storeId: Id, blockId: Id }),
        response: { 204: T.Void() },
        detail: describe('Remove a block', 'unblock'),
      },
    )
