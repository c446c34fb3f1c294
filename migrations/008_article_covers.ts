import type { Knex } from 'knex';

/** Uploaded covers of articles. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('article_covers', (t) => {
    t.text('slug').primary().references('articles.slug').onDelete('CASCADE');
    t.text('content_type').notNullable();
    t.binary('content').notNullable();
    t.check(`content_type in ('image/png', 'image/jpeg', 'image/webp')`, [], 'article_covers_content_type_check');
    t.comment('Uploaded cover pictures');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('article_covers');
}
