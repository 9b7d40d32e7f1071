import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { fileForm } from '../../http/body/form.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { StoredFile } from '../../platform/files/files.model.ts'
import { deleteFileWithBytes, getFilesOf, presentFile } from '../../platform/files/files.ts'
import { fileMacro, fileOwnerMacro } from './file-owner.ts'
import { storeUpload } from './store-upload.ts'

const describe = tagOperations('Files')
const ById = T.Object({ id: Id })
const storeId = T.Optional({
  ...Id,
  description: 'store whose files are meant; default: your own files, or for an API key those of its store',
})

const form = fileForm('JPEG, PNG, WebP, GIF, AVIF, PDF or CSV, up to 20 MiB')

/** Routes of files that belong to stores and to users. */
export const uploads = (context: Context) =>
  new Elysia({ name: 'uploads', prefix: '/v1/files' })
    .use(context.auth)
    .macro('filesOf', fileOwnerMacro(context))
    .macro('file', fileMacro(context))
    .get(
      '',
      async ({ owner, query }) => {
        const { data, nextCursor } = await readKeysetPage(query, (before, take) => getFilesOf(context, owner, before, take))
        return { data: data.map((row) => presentFile(context, row)), nextCursor }
      },
      {
        filesOf: ['viewer', 'stores:read'],
        query: T.Object({ ...pageQuery, storeId }),
        response: List(StoredFile),
        detail: describe('List the files of a store, or your own, newest first', 'listFiles'),
      },
    )
    .post('', ({ owner, request, caller, set }) => storeUpload(context, { request, caller, set }, owner), {
      filesOf: ['agent', 'stores:write'],
      // Reads the form in the handler, after the access check.
      parse: 'none',
      query: T.Object({ storeId }),
      response: { 201: Data(StoredFile) },
      detail: { ...describe('Upload a file for a store or for yourself', 'uploadFile'), requestBody: form },
    })
    .get('/:id', ({ file }) => ({ data: presentFile(context, file) }), {
      file: ['viewer', 'stores:read'],
      params: ById,
      response: Data(StoredFile),
      detail: describe('Read the details of a file', 'readFile'),
    })
    .delete(
      '/:id',
      async ({ file, set }) => {
        await transaction(context.sql, (tx) => deleteFileWithBytes(tx, file))
        set.status = 204
      },
      {
        file: ['agent', 'stores:write'],
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete a file and its bytes', 'deleteFile'),
      },
    )
