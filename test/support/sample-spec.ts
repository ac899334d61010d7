/** What varies in {@link sampleSpec}. */
export interface SampleFacets {
  readonly title?: string;
  readonly description?: string;
  /** More lines under `schemas`, indented by four. */
  readonly schemas?: string;
}

/** A small spec with two operations and two schemas. */
export function sampleSpec({ title = 'Pets', description = 'A pet.', schemas = '' }: SampleFacets = {}): string {
  return `openapi: 3.1.0
info: { title: ${JSON.stringify(title)}, version: 1.0.0 }
servers: [{ url: https://pets.example.com }]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      tags: [read]
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
  /owners:
    post:
      operationId: addOwner
      tags: [write]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Owner' } } } }
      responses:
        '204': { description: done }
components:
  schemas:
    Pet:
      type: object
      description: ${JSON.stringify(description)}
      required: [name]
      properties: { name: { type: string }, age: { type: integer } }
    Owner:
      type: object
      properties: { name: { type: string } }
${schemas}`;
}
