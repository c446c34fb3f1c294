import os

from pyspark.sql import SparkSession

url, key = os.environ["MARKET_DATA_URL"], os.environ["MARKET_DATA_KEY"]
ICEBERG = "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.11.0,org.apache.iceberg:iceberg-aws-bundle:1.11.0"
SETTINGS = {
    "spark.jars.packages": ICEBERG,
    "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
    "spark.sql.catalog.lake.type": "rest",
    "spark.sql.catalog.lake.uri": f"{url}/iceberg",
    "spark.sql.catalog.lake.token": key,
    "spark.sql.catalog.lake.io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
    "spark.sql.catalog.lake.client.region": "us-east-1",
}
spark = SparkSession.builder.config(map=SETTINGS).getOrCreate()
bars = spark.table("lake.market.daily_bars")
