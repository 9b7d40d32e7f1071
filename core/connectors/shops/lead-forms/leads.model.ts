import { type Static, Type as T } from '@sinclair/typebox'
import { leadFields } from '../../../../plugins/connector/model.ts'
import { exact, Id, Maybe, Nullable, named, Text } from '../../../http/schema.ts'

const Fields = T.Partial(
  T.Object(
    Object.fromEntries(leadFields.map((field) => [field, Text(200, 1)])) as Record<(typeof leadFields)[number], ReturnType<typeof Text>>,
  ),
  { additionalProperties: false, description: 'which question fills which field; usual names of questions are recognized without it' },
)
const FormId = Text(60, 1)

/** Lead form and the product that it sells. */
const LeadFormSetup = exact({
  formId: FormId,
  fields: Maybe(Fields),
  productId: Maybe(Id),
  variantId: Maybe(Nullable(Id)),
})

/** Request that sets the lead forms to import. */
export const NewLeadSetup = named(
  'NewLeadSetup',
  exact({ pageId: Text(60, 1), forms: T.Array(LeadFormSetup, { minItems: 1, maxItems: 200 }) }),
)
/** Type of {@link NewLeadSetup}. */
export type NewLeadSetup = Static<typeof NewLeadSetup>

/** Request that changes the lead forms to import. */
export const LeadSetupChange = named(
  'LeadSetupChange',
  exact({
    pageId: Maybe(Text(60, 1)),
    forms: Maybe(T.Array(LeadFormSetup, { minItems: 1, maxItems: 200, description: 'replaces all forms that were set before' })),
  }),
)
/** Type of {@link LeadSetupChange}. */
export type LeadSetupChange = Static<typeof LeadSetupChange>

/** Page and lead forms whose answers are imported as orders. */
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
