import { type Static, Type as T } from '@sinclair/typebox'
import { leadFields } from '../../../../plugins/connector/model.ts'
import { exact, Id, Maybe, Nullable, named, Text } from '../../../http/schema.ts'

const Fields = T.Partial(
  T.Object(
    Object.fromEntries(leadFields.map((field) => [field, Text(200, 1)])) as Record<(typeof leadFields)[number], ReturnType<typeof Text>>,
  ),
  { additionalProperties: false, description: 'which question asks for what; the usual names of questions are known without it' },
)
const FormId = Text(60, 1)

/** A form, and what its answers order. */
const LeadFormSetup = exact({
  formId: FormId,
  fields: Maybe(Fields),
  productId: Maybe(Id),
  variantId: Maybe(Nullable(Id)),
})

export const NewLeadSetup = named(
  'NewLeadSetup',
  exact({ pageId: Text(60, 1), forms: T.Array(LeadFormSetup, { minItems: 1, maxItems: 200 }) }),
)
/** Type of {@link NewLeadSetup}. */
export type NewLeadSetup = Static<typeof NewLeadSetup>

export const LeadSetupChange = named(
  'LeadSetupChange',
  exact({
    pageId: Maybe(Text(60, 1)),
    forms: Maybe(T.Array(LeadFormSetup, { minItems: 1, maxItems: 200, description: 'in place of all that were named before' })),
  }),
)
/** Type of {@link LeadSetupChange}. */
export type LeadSetupChange = Static<typeof LeadSetupChange>

export const LeadSetup = named(
  'LeadSetup',
  T.Object({
    connectorId: Id,
    storeId: Id,
    pageId: T.String(),
    forms: T.Array(T.Object({ formId: T.String(), fields: Maybe(Fields), productId: Nullable(Id), variantId: Nullable(Id) })),
  }),
)
/** Type of {@link LeadSetup}. */
export type LeadSetup = Static<typeof LeadSetup>
