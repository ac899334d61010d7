// Creates a table with the client of BigQuery. Usage: go run bigquery.go http://localhost:4011
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"cloud.google.com/go/bigquery"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"
)

func main() {
	ctx := context.Background()
	endpoint := option.WithEndpoint(os.Args[1] + "/bigquery/v2/")
	client, err := bigquery.NewClient(ctx, "p", endpoint, option.WithoutAuthentication())
	check(err)
	defer client.Close()

	columns := bigquery.Schema{{Name: "id", Type: bigquery.IntegerFieldType}, {Name: "name", Type: bigquery.StringFieldType}}
	boats := client.Dataset("d").Table("boats")
	check(boats.Create(ctx, &bigquery.TableMetadata{Schema: columns}))
	metadata, err := boats.Metadata(ctx)
	check(err)
	fmt.Printf("table: %s, %d columns\n", metadata.FullID, len(metadata.Schema))

	tables := client.Dataset("d").Tables(ctx)
	for {
		table, err := tables.Next()
		if err == iterator.Done {
			break
		}
		check(err)
		fmt.Printf("listed: %s\n", table.TableID)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
