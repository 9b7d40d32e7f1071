import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { fileForm } from '../../http/body/form.ts'
import { Data, Id } from '../../http/schema.ts'
import { StoredFile } from '../../platform/files/files.model.ts'
import { keepUpload } from '../../shop/uploads/keep.ts'

const form = fileForm('JPEG, PNG, WebP, GIF, AVIF, PDF or CSV, up to 20 MiB; its bytes tell which, not its name')

/** What stands in a field that a store made for itself. */
export const fieldFiles = (context: Context) =>
  new Elysia({ name: 'field file actions', prefix: '/v1/actions' })
    .use(context.authority)
    .post(
      '/uploadCustomFieldFile',
      ({ store, request, caller, set }) => keepUpload(context, { request, caller, set }, { storeId: store.id, userId: null }),
      {
        store: ['agent', 'stores:write'],
        // The form is read once it is known that the caller may send it.
        parse: 'none',
        query: T.Object({ storeId: T.Optional(Id) }),
        response: { 201: Data(StoredFile) },
        detail: {
          tags: ['Actions'],
          summary: "Upload a file for a field of the store's own; its url is what the field holds",
          operationId: 'uploadCustomFieldFile',
          requestBody: form,
        },
      },
    )
