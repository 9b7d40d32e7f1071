import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { fileForm } from '../../http/body/form.ts'
import { Data, Id } from '../../http/schema.ts'
import { StoredFile } from '../../platform/files/files.model.ts'
import { storeUpload } from '../../shop/uploads/store-upload.ts'

const form = fileForm('JPEG, PNG, WebP, GIF, AVIF, PDF or CSV, up to 20 MiB; the bytes decide the type, not the name')

/** Route that uploads a file for a custom field of a store. */
export const fieldFiles = (context: Context) =>
  new Elysia({ name: 'field file actions', prefix: '/v1/actions' })
    .use(context.authority)
    .post(
      '/uploadCustomFieldFile',
      ({ store, request, caller, set }) => storeUpload(context, { request, caller, set }, { storeId: store.id, userId: null }),
      {
        store: ['agent', 'stores:write'],
        // The form is parsed after the access check.
        parse: 'none',
        query: T.Object({ storeId: T.Optional(Id) }),
        response: { 201: Data(StoredFile) },
        detail: {
          tags: ['Actions'],
          summary: 'Upload a file for a custom field; the value of the field is its url',
          operationId: 'uploadCustomFieldFile',
          requestBody: form,
        },
      },
    )
